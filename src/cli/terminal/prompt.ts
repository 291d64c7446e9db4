import {closeSync, openSync, readFileSync} from 'node:fs'
import {ReadStream, WriteStream} from 'node:tty'
import {CliFailure} from '../../core/errors.js'
import {redactStream} from '../../core/redact.js'
import {toSafeText} from '../../formats/safe-text.js'
import {toTruth} from '../../values/truth.js'
import {stopSignal} from './signals.js'

/** Text around a question. */
export type Around = {
  /** Text to know before answering; printed only where standard error is not on the same terminal. */
  above?: string
  /** Whether standard error shows the text above; true unless given. */
  isShown?: boolean
  /** Text of the answer d, before the question is asked again. */
  details?: (() => Promise<string>) | undefined
}

/** Asks for a hidden value on the terminal. Throws `interrupted` on Ctrl-C. */
export async function askSecret(message: string): Promise<string> {
  const {password} = await import('@clack/prompts')
  return (await ask<string>((streams) => password({message, ...streams}))) ?? ''
}

/** The failure of a command that needs `--yes` where nobody can be asked. */
export function notConfirmed(message: string): CliFailure {
  return new CliFailure(message, {code: 'NOT_CONFIRMED', exit: 'usage', hints: ['If you mean it, add: --yes']})
}

export type TextOptions = {
  /** The answer that is filled in at first. */
  initial?: string | undefined
  /** Why a text cannot be the answer. */
  check?: (text: string) => string | undefined
}

/** Asks for a visible value on the terminal. Throws `interrupted` on Ctrl-C. */
export async function askText(message: string, {initial = '', check}: TextOptions = {}): Promise<string> {
  const {text} = await import('@clack/prompts')
  const validate = (typed = '') => check?.(typed.trim())
  return (await ask<string>((streams) => text({message, initialValue: initial, validate, ...streams}))) ?? ''
}

/** Asks yes or no on the terminal; only `y` and `yes` are a yes. Throws `interrupted` on Ctrl-C. */
export async function askConfirmation(message: string, around: Around = {}): Promise<boolean> {
  const {details} = around
  const [keys, shows] = details ? ['y/N/d', ', or d to see every change'] : ['y/N', '']
  const validate = (answer = '') =>
    toAnswer(answer, around) === undefined ? `Type y for yes or n for no${shows}; then Enter.` : undefined
  const question = `${toSafeText(message)} (${keys})`
  const asksAgain = (answer = '') => toAnswer(answer, around) === 'details'
  return toAnswer(await askLineOf(question, validate, {...around, asksAgain}), around) === 'yes'
}

/** The answer to a question in one line of text, which on a dumb terminal the terminal itself edits. */
async function askLineOf(
  message: string,
  validate: Validate,
  around: Around & {asksAgain: (answer?: string) => boolean},
): Promise<string> {
  const {text} = await import('@clack/prompts')
  const isDumb = process.env['TERM'] === 'dumb'
  const toLine = (streams: Streams) =>
    isDumb ? askLine(message, validate, streams) : text({message, validate, ...streams})
  return (await ask<string | undefined>(toLine, around)) ?? ''
}

/** Asks for a word or a number on the terminal; anything else is a no. Throws `interrupted` on Ctrl-C. */
export async function askTyped(message: string, wanted: string, around: Around = {}): Promise<boolean> {
  const isDetails = (answer = '') => around.details !== undefined && answer.trim().toLowerCase() === 'd'
  const question = `${toSafeText(message)}${around.details ? ' (d shows all)' : ''}:`
  const answered = await askLineOf(question, () => undefined, {...around, asksAgain: isDetails})
  return answered.trim().toLowerCase() === wanted
}

const answers = new Map([
  ['y', 'yes'],
  ['yes', 'yes'],
  ['n', 'no'],
  ['no', 'no'],
  ['', 'no'],
  ['d', 'details'],
])

/** The answer; undefined for any other text. */
function toAnswer(typed: string, {details}: Around) {
  const answer = answers.get(typed.trim().toLowerCase())
  return answer === 'details' && details === undefined ? undefined : answer
}

/** Whether a person can answer: not with `--json`, and not in CI, which may give its jobs a terminal. */
export function canAsk({'no-input': noInput = false, json = false}: AskFlags): boolean {
  return !noInput && !json && !isInCi() && hasTerminal()
}

export type AskFlags = {'no-input'?: boolean | undefined; json?: boolean | undefined}

type Streams = {input: ReadStream; output: WriteStream; signal: AbortSignal}
type Question<Answer> = (streams: Streams) => Promise<Answer | symbol>

/** The answer to a question. Throws `interrupted` when there is none. */
async function ask<Answer>(
  question: Question<Answer>,
  around: Around & {asksAgain?: (answer: Answer) => boolean} = {},
) {
  const {above = '', isShown = true, details, asksAgain} = around
  const terminal = openTerminal()
  const {output} = terminal
  try {
    if (above !== '' && !(terminal.isErrorOutput && isShown)) output.write(`${above}\n`)
    for (;;) {
      const answer = await askOnce(question, terminal)
      if (answer === continued) continue
      if (typeof answer === 'symbol') throw stopSignal().aborted ? stopSignal().reason : cancelled()
      if (asksAgain?.(answer) !== true) return answer
      output.write((await details?.()) ?? '')
    }
  } finally {
    terminal.close()
  }
}

/** The end of an attempt that was stopped by Ctrl-Z: after `fg` the question is shown again. */
const continued = Symbol('continued')

/** Asks once; Ctrl-D, a stop signal, a closed terminal and `fg` end the attempt. */
async function askOnce<Answer>(question: Question<Answer>, {input, output}: Omit<Streams, 'signal'>) {
  const ended = new AbortController()
  const end = () => ended.abort()
  const onKey = (_: unknown, {name, ctrl}: {name?: string; ctrl?: boolean}) => {
    if (ctrl === true && name === 'd') end()
  }
  input.on('keypress', onKey).once('end', end).once('error', end)
  let isContinued = false
  const stopPassing = passStop(() => {
    isContinued = true
    end()
  })
  try {
    const answer = await question({input, output, signal: AbortSignal.any([ended.signal, stopSignal()])})
    return isContinued && typeof answer === 'symbol' ? continued : answer
  } finally {
    input.off('keypress', onKey).off('end', end).off('error', end)
    stopPassing()
  }
}

/** Stops the process group on Ctrl-Z, which reaches this process alone. Returns the function that ends this. */
function passStop(onContinue: () => void): () => void {
  const stopGroup = () => {
    process.off('SIGTSTP', stopGroup).once('SIGCONT', onContinue)
    process.kill(0, 'SIGTSTP')
  }
  process.on('SIGTSTP', stopGroup)
  return () => void process.off('SIGTSTP', stopGroup).off('SIGCONT', onContinue)
}

type Validate = (answer?: string) => string | undefined

/** A line that the terminal itself edits, where the cursor cannot be moved; a symbol where the wait was aborted. */
async function askLine(question: string, validate: Validate, {input, output, signal}: Streams) {
  const {createInterface} = await import('node:readline/promises')
  const lines = createInterface({input, output, terminal: false})
  try {
    for (;;) {
      const answer = await lines.question(`${question} `, {signal})
      const wrong = validate(answer)
      if (wrong === undefined) return answer
      output.write(`${wrong}\n`)
    }
  } catch (error) {
    if (signal.aborted) return Symbol('no answer')
    throw error
  } finally {
    lines.close()
  }
}

function cancelled(): CliFailure {
  return new CliFailure('Stopped at the prompt.', {
    code: 'SIGINT',
    retry: 'safe',
    hints: ['Run the same command again.'],
  })
}

/** The terminal of a question. `isErrorOutput`: standard error is shown there too. */
export type Terminal = {input: ReadStream; output: WriteStream; isErrorOutput: boolean; close(): void}

const [inputPath, outputPath] =
  process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty']

/** Whether a person can be asked: there is a terminal, also behind redirected streams, and this process may use it. */
function hasTerminal(): boolean {
  if (isInBackground()) return false
  if (isStandard()) return true
  const descriptors = openBoth()
  for (const descriptor of descriptors ?? []) closeSync(descriptor)
  return descriptors !== undefined
}

/** Whether this is a job of a CI system, by the variable CI; some set it to their name. */
export function isInCi({CI = ''}: NodeJS.ProcessEnv = process.env): boolean {
  return CI !== '' && toTruth(CI) !== false
}

/** The standard streams where both are a terminal, else the terminal of the session. Throws without one. */
function openTerminal(): Terminal {
  const {stdin, stderr} = process
  if (isStandard())
    return {input: stdin, output: withSize(stderr), isErrorOutput: true, close: () => void stdin.pause()}

  const [read, write] = openBoth() ?? []
  if (read === undefined || write === undefined) throw new TypeError('there is no terminal')
  const input = new ReadStream(read)
  const output = withSize(new WriteStream(write))
  redactStream(output)
  const close = () => {
    input.destroy()
    output.destroy()
  }
  return {input, output, isErrorOutput: stderr.isTTY === true, close}
}

function isStandard(): boolean {
  const {stdin, stderr} = process
  return stdin.isTTY === true && !stdin.destroyed && stderr.isTTY === true
}

/** Descriptors of the terminal of the session, for reading and for writing. */
function openBoth(): [number, number] | undefined {
  try {
    const read = openSync(inputPath, 'r+')
    try {
      return [read, openSync(outputPath, 'r+')]
    } catch {
      closeSync(read)
      return undefined
    }
  } catch {
    return undefined
  }
}

/** A terminal of size 0 x 0, as `script` and `expect` make them, counts as 80 x 24. */
function withSize(stream: WriteStream): WriteStream {
  stream.columns ||= 80
  stream.rows ||= 24
  return stream
}

/** Whether this is a background job, which the system stops when it reads the terminal. Known on Linux only. */
function isInBackground(): boolean {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return foreground !== '-1' && foreground !== group
  } catch {
    return false
  }
}
