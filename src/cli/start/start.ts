import {writeSync} from 'node:fs'
import type {Asked, Program} from '../app/program.js'
import {readCommandLine} from './read-command-line.js'

type Leave = (code: number) => never

/**
 * Runs one command line and resolves with its exit code. Version, help and completion are answered before anything else
 * is loaded.
 */
export async function start(args: string[], program: Program, leave: Leave): Promise<number> {
  if (args[0] === '__complete' || args[0] === 'autocomplete') {
    const {answerCompletion} = await import('../completion/answer-completion.js')
    const text = await answerCompletion(args, program)
    if (text !== undefined) return print(text)
  }

  const asked = readCommandLine(args, program.commands, program.topics)
  if (asked.kind === 'version') return print(describeVersion(program))
  if (asked.kind === 'help') {
    const {findHelp} = await import('./find-help.js')
    const text = await findHelp(args, program)
    if (text !== undefined) return print(text)
  }

  const exitCode = asked.kind === 'command' && asked.id === 'jobs:run' ? await startJob(asked.args, program) : undefined
  if (exitCode !== undefined) return exitCode
  const watched = await findWatched(asked, program)
  if (typeof watched === 'number') return watched
  const {main} = await import('./main.js')
  return main(args, watched, program, leave)
}

/** The exit code of a single job that needs nothing else of this program than to be started; undefined for all others. */
async function startJob(args: readonly string[], program: Program): Promise<number | undefined> {
  const {startOneJob} = await import('../jobs/start-one-job.js')
  return startOneJob(args, program)
}

/** The exit code of a command that notifies: it runs in a process of its own, so that this one sees it end. */
async function findWatched(asked: Asked, program: Program): Promise<number | Asked> {
  if (asked.kind !== 'command' || !program.commands[asked.id]?.notifies || !asksToNotify(asked.args)) return asked
  const {startWatched} = await import('../jobs/start-watched.js')
  return startWatched(asked, program)
}

function asksToNotify(args: readonly string[]): boolean {
  const variables = ['VENDORCTL_NOTIFY_URL', 'VENDORCTL_NOTIFY_URL_FILE', 'VENDORCTL_NOTIFY_COMMAND']
  return args.some((word) => word.startsWith('--notify-')) || variables.some((name) => process.env[name])
}

function describeVersion({version}: Program): string {
  return `vendorctl/${version} ${process.platform}-${process.arch} node-${process.version}\n`
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
