import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {exitCodes, gatewayAnswers, operations, refusals} from '../../src/contract/index.js'

const commands = Object.values(operations).map(({command}) => command)

test('every operation has a command', () => {
  expect(commands.filter((command) => !hasFile(command))).toEqual([])
})

test('every command that a hint names exists', () => {
  const hints = Object.entries({...refusals, ...gatewayAnswers, ...exitCodes})
  const named = hints.flatMap(([code, {hint}]) =>
    [...hint.matchAll(/vendorctl ([a-z]+(?: [a-z]+(?!\w))?)/g)].map(([, command = '']) => ({code, command})),
  )
  const lost = named.filter(({command}) => !isCommand(command))

  expect(named.length).toBeGreaterThan(5)
  expect(lost).toEqual([])
})

/** `auth login`, or `quota and` of a sentence that goes on; `waits` and `logs` begin sentences about the program. */
function isCommand(words: string): boolean {
  const [first = ''] = words.split(' ')
  return ['waits', 'logs', 'help'].includes(first) || hasFile(words) || hasFile(first)
}

function hasFile(command: string): boolean {
  const path = fileURLToPath(new URL(`../../src/commands/${command.replaceAll(' ', '/')}`, import.meta.url))
  return existsSync(`${path}.ts`) || existsSync(`${path}/index.ts`)
}
