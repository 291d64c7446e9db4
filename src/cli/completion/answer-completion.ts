import {resolve} from 'node:path'
import type {Program, WrittenFacts} from '../app/program.js'
import type {CommandFacts} from '../help/facts.js'
import {complete} from './complete.js'
import type {Facts} from './read-line.js'
import {findShell} from './shells/index.js'
import type {Complete, Place} from './shells/shell.js'
import {createSources} from './sources.js'

type Written = Pick<Program, 'facts' | 'choices'>

/**
 * What a shell gets for `__complete SHELL …`, which says what may stand at the cursor, and for `autocomplete script
 * SHELL`, which runs whenever a shell starts. Undefined for every other line. Loads facts only when they matter.
 */
export async function answerCompletion(
  [first, second, name = '', ...more]: readonly string[],
  program: Written,
): Promise<string | undefined> {
  if (first === '__complete') return answerShell(second, [name, ...more], program)
  if (first !== 'autocomplete' || second !== 'script' || more.length > 0) return undefined
  return findShell(name)?.script(findProgram())
}

/** Never fails and says nothing about what is wrong, because a person is typing. */
async function answerShell(
  name: string | undefined,
  given: readonly string[],
  {facts, choices}: Written,
): Promise<string> {
  try {
    const completeLine: Complete = async (args) =>
      complete(args, toFacts(await facts()), createSources(process.env, choices))
    return (await findShell(name ?? '')?.answer(given, completeLine)) ?? ''
  } catch {
    return ''
  }
}

/** For shells that do not find it by name. One executable with Node in it is its own program. */
export function findProgram(): Place {
  const program = resolve(process.argv[1] ?? '')
  return {program, ...(program !== process.execPath && {node: process.execPath})}
}

export function toFacts({topics, guides, commands}: WrittenFacts): Facts {
  return {
    commands: Object.keys(commands),
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, {description = ''}]) => [name.replaceAll(' ', ':'), description]),
    ),
    guides: Object.fromEntries(Object.entries(guides).map(([name, text]) => [name, text.split('\n\n')[1] ?? ''])),
    command: (id) => (Object.hasOwn(commands, id) ? (JSON.parse(commands[id] ?? '') as CommandFacts) : undefined),
  }
}
