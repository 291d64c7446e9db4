import type {ReadStream, WriteStream} from 'node:tty'
import {CliFailure} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import {stopSignal} from '../app/signals.js'
import {hasTerminal, isInCi, openTerminal} from './terminal.js'

/** Text around a question. */
export type Around = {
  /** What a person must know before answering; printed only where standard error is not on the same terminal. */
  above?: string
  /** Whether standard error shows what stands above; true unless given. */
  isShown?: boolean
  /** What the key d shows before the question is asked again. */
  details?: (() => Promise<string>) | undefined
}

/** Asks for a hidden value on the terminal. Throws `interrupted` on Ctrl-C. */
export async function askSecret(message: string): Promise<string> {
  const {password} = await import('@clack/prompts')
  return (await ask<string>((streams) => password({message, ...streams}))) ?? ''
}

/** Asks for a visible value on the terminal. Throws `interrupted` on Ctrl-C. */
export async function askText(message: string): Promise<string> {
  const {text} = await import('@clack/prompts')
  return (await ask<string>((streams) => text({message, ...streams}))) ?? ''
}

/** Asks yes or no on the terminal; no is the default. Throws `interrupted` on Ctrl-C. */
export async function askConfirmation(message: string, around: Around = {}): Promise<boolean> {
  const {confirm} = await import('@clack/prompts')
  const safe = toSafeText(message)
  const question = around.details ? `${safe} (d shows every change)` : safe
  return ask<boolean>((streams) => confirm({message: question, initialValue: false, ...streams}), around)
}

/** Whether a person can answer: not with `--json`, and not in CI, which may give its jobs a terminal. */
export function canAsk({'no-input': noInput = false, json = false}: AskFlags): boolean {
  return !noInput && !json && !isInCi() && hasTerminal()
}

export type AskFlags = {'no-input'?: boolean | undefined; json?: boolean | undefined}

type Streams = {input: ReadStream; output: WriteStream; signal: AbortSignal}
type Question<Answer> = (streams: Streams) => Promise<Answer | symbol>

/** The answer to a question. Throws `interrupted` when there is none. */
async function ask<Answer>(question: Question<Answer>, {above = '', isShown = true, details}: Around = {}) {
  const terminal = openTerminal()
  const {output} = terminal
  try {
    if (above !== '' && !(terminal.isErrorOutput && isShown)) output.write(`${above}\n`)
    for (;;) {
      const {answer, key} = await askOnce(question, terminal, details === undefined)
      if (typeof answer !== 'symbol') return answer
      if (key !== 'd') throw stopSignal.aborted ? stopSignal.reason : cancelled()
      output.write((await details?.()) ?? '')
    }
  } finally {
    terminal.close()
  }
}

/** One attempt, which the key d, a stop signal and a closed terminal end. */
async function askOnce<Answer>(question: Question<Answer>, {input, output}: Omit<Streams, 'signal'>, isPlain: boolean) {
  const ended = new AbortController()
  const end = () => ended.abort()
  let key: string | undefined
  const onKey = (_: unknown, {name, ctrl}: {name?: string; ctrl?: boolean}) => {
    const isEnd = ctrl === true && name === 'd'
    if (!isEnd && (isPlain || name !== 'd')) return
    key = isEnd ? undefined : name
    end()
  }
  input.on('keypress', onKey).once('end', end).once('error', end)
  try {
    const answer = await question({input, output, signal: AbortSignal.any([ended.signal, stopSignal])})
    return {answer, key}
  } finally {
    input.off('keypress', onKey).off('end', end).off('error', end)
  }
}

function cancelled(): CliFailure {
  return new CliFailure('Stopped at the prompt.', {
    code: 'SIGINT',
    exit: 'interrupted',
    retry: 'safe',
    hints: ['Run the same command again.'],
  })
}
