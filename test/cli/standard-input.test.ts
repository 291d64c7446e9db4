import {Command} from '@oclif/core'
import {expect, test} from 'vitest'
import {readSourceFiles} from '../support/source-files.js'

const files = readSourceFiles('src/commands').map(({path}) => path)

/** A loop of a shell gives its own input to the programs in it: whoever reads it unasked ends the loop. */
test('no command takes standard input for a word that is left out', async () => {
  const commands = await Promise.all(
    files.map(
      async (path) =>
        [path, ((await import(/* @vite-ignore */ `../../${path}`)) as {default: typeof Command}).default] as const,
    ),
  )
  const taking = commands.flatMap(([path, {args}]) =>
    Object.entries(args).flatMap(([name, {ignoreStdin}]) => (ignoreStdin ? [] : [`${path}: ${name}`])),
  )

  expect(commands.length).toBeGreaterThan(10)
  for (const [, command] of commands) expect(command.prototype).toBeInstanceOf(Command)
  expect(taking).toEqual([])
})
