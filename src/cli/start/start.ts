import {writeSync} from 'node:fs'
import {renewProcessState} from '../../core/process-state.js'
import {toCommandName} from '../../values/command-facts.js'
import type {Asked, KnownCommands, Program} from '../app/program.js'
import {asksForHelp} from '../help/help-subject.js'
import type {Leave} from './endings.js'

/**
 * Runs one command line and resolves with its exit code. Version, help and completion are answered before anything else
 * is loaded.
 */
export async function start(args: string[], program: Program, leave: Leave): Promise<number> {
  renewProcessState()
  if (args[0] === '__complete' || args[0] === 'autocomplete') {
    const {answerCompletion} = await import('../completion/answer-completion.js')
    const text = await answerCompletion(args, program)
    if (text !== undefined) return print(text)
  }

  const asked = await withRecipe(readCommandLine(args, program.commands, program.topics), program)
  const {version} = program
  if (asked.kind === 'version')
    return print(`vendorctl/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
  if (asked.kind === 'help') {
    const {findHelp} = await import('./find-help.js')
    const text = await findHelp(args, program)
    if (text !== undefined) return print(text)
  }

  if (asked.kind === 'command' && asked.id === 'jobs:run') {
    const {startOneJob} = await import('../jobs/start-one-job.js')
    const exitCode = await startOneJob(asked.args, program)
    if (exitCode !== undefined) return exitCode
  }
  const watched = await findWatched(asked, program)
  if (typeof watched === 'number') return watched
  const {main} = await import('./main.js')
  return main(args, watched, program, leave)
}

/** A command line whose recipe is filled in, such as `import prices book.xlsx`. */
async function withRecipe(asked: Asked, program: Program): Promise<Asked> {
  if (asked.kind !== 'command') return asked
  const isImport = asked.id === 'import' || asked.id === 'import:check'
  const end = asked.args.indexOf('--') // what follows is another line, such as that of import save
  const own = end === -1 ? asked.args : asked.args.slice(0, end)
  if (!isImport && !own.some((word) => /^--recipe(=|$)/.test(word))) return asked
  const {fillInRecipe} = await import('../jobs/fill-in-recipe.js')
  return fillInRecipe(asked, program)
}

/** Runs a command that notifies as a child process, and returns its exit code; returns `asked` for any other. */
async function findWatched(asked: Asked, program: Program): Promise<number | Asked> {
  if (asked.kind !== 'command' || !program.commands[asked.id]?.notifies || !asksToNotify(asked.args)) return asked
  const {startWatched} = await import('../jobs/start-watched.js')
  return startWatched(asked, program)
}

function asksToNotify(args: readonly string[]): boolean {
  const variables = ['VENDORCTL_NOTIFY_URL', 'VENDORCTL_NOTIFY_URL_FILE', 'VENDORCTL_NOTIFY_COMMAND']
  return args.some((word) => word.startsWith('--notify-')) || variables.some((name) => process.env[name])
}

/**
 * Prints a short text on standard output without loading streams. Resolves with the exit code; a reader that left is not
 * a failure. The rest of the text is printed through streams where this fails, as in a full pipe.
 */
export async function print(text: string): Promise<number> {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written)
    return 0
  } catch {
    const {printRest} = await import('./main.js')
    return printRest(bytes.subarray(written))
  }
}

const versionFlags = ['--version', '-V']

/** Reads the arguments of `vendorctl`. Topics are ids. */
export function readCommandLine(given: readonly string[], commands: KnownCommands, topics: readonly string[]): Asked {
  const args = splitFirst(given)
  const [first = ''] = args
  if (versionFlags.includes(first)) return {kind: 'version'}
  if (asksForHelp(args, {topics: topics.map(toCommandName), commands: Object.keys(commands).map(toCommandName)}))
    return {kind: 'help'}

  const names = namesOf(args)
  const count = countOfCommand(names, commands)
  if (count > 0) return toCommand(args, names, count, commands)
  const topic = names.filter(Boolean).join(':')
  if (topic === '' || topics.includes(topic)) return {kind: 'noCommand', topic, args}
  return {kind: 'unknown', args: names}
}

/** `sites:create` counts as two arguments. */
function splitFirst([first, ...more]: readonly string[]): string[] {
  return first === undefined ? [] : [...(first.startsWith('-') ? [first] : first.split(':')), ...more]
}

/** Arguments up to the first flag. */
function namesOf(args: readonly string[]): string[] {
  const end = args.findIndex((word) => word.startsWith('-'))
  return end === -1 ? [...args] : args.slice(0, end)
}

function countOfCommand(names: readonly string[], commands: KnownCommands): number {
  for (let count = names.length; count > 0; count--) if (Object.hasOwn(commands, toId(names, count))) return count
  return 0
}

function toCommand(args: readonly string[], names: readonly string[], count: number, commands: KnownCommands): Asked {
  const id = toId(names, count)
  const extra = names[count]
  if (extra !== undefined && !commands[id]?.takesArguments) return {kind: 'unexpected', id, argument: extra}
  return {kind: 'command', id, args: args.slice(count)}
}

function toId(names: readonly string[], count: number): string {
  return names.slice(0, count).join(':')
}
