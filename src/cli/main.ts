import {Config, run} from '@oclif/core'
import {exitCodeOf} from '../contract/index.js'
import {CliFailure, toEntries} from '../errors.js'
import {whyUnheard, workUnheard} from './error-output.js'
import {createMessages} from './messages.js'
import {standardOutput} from './output.js'
import {redactStream} from './redact.js'
import {renderFailure} from './render-failure.js'
import {installSignals, PipeClosed} from './signals.js'
import {toCliFailure} from './to-cli-failure.js'

type Exiting = Error & {code?: string; oclif?: {exit?: number}}

/**
 * Runs one command line. Resolves with the exit code once all output was taken. What went well and could not be told,
 * because the disk under standard error is full, is `storage`.
 */
export async function main(words: string[], root: string, leave: (code: number) => never): Promise<number> {
  const code = await runWords(words, root, leave)
  const unheard = await whyUnheard()
  return code === 0 && unheard && unheard.code !== 'EPIPE' ? exitCodeOf('storage').code : code
}

async function runWords(words: string[], root: string, leave: (code: number) => never): Promise<number> {
  workUnheard()
  redactStream(process.stderr)
  installSignals(leave)
  process.on('uncaughtException', (error) => leave(endWith(error)))
  process.on('unhandledRejection', (error) => leave(endWith(error)))
  try {
    await run(words, await Config.load(root))
    const code = Number(process.exitCode ?? 0)
    if (code === 0) await standardOutput.write('') // help does not wait until its text was taken
    return code
  } catch (error) {
    const code = endWith(error)
    if (error instanceof CliFailure && words.includes('--json')) await presentFailure(error, words)
    return code
  }
}

/** The envelope of a failure that no command was there to present. */
async function presentFailure(failure: CliFailure, words: readonly string[]): Promise<void> {
  const {printEnvelope} = await import('./envelope.js')
  const flag = words.findIndex((word) => word.startsWith('-'))
  const none = {ok: false, runId: null, data: null, meta: {}, warnings: []}
  const envelope = {...none, command: words.slice(0, flag).join(' '), errors: toEntries(failure)}
  // The failure itself was told on standard error; a closed or full standard output changes nothing about it.
  await standardOutput.write(printEnvelope(envelope)).catch(() => undefined)
}

function endWith(error: unknown): number {
  const {code, oclif} = (error ?? {}) as Exiting
  if (error instanceof PipeClosed || code === 'EPIPE') return 0
  if (code === 'EEXIT') return oclif?.exit ?? 0
  const failure = error instanceof CliFailure ? error : toCliFailure(error)
  createMessages({quiet: false, verbose: false}).tell(renderFailure(failure, process.stderr))
  return failure.exitCode
}
