import type {Clock} from '../../core/clock.js'
import {type ProgramEnd, runProgram} from '../run-program.js'
import type {Sender} from './notifier.js'

export type CommandOptions = {
  /** Of the command; it holds no secret of this program. */
  environment: NodeJS.ProcessEnv
  clock: Pick<Clock, 'sleep'>
  /** The command and all that it started are ended after this time. */
  limitMilliseconds?: number
}

const usualLimitMilliseconds = 10_000

/** Notifies by a command without a shell, which has the event as JSON on its standard input. */
export function createCommandSender(words: readonly [string, ...string[]], options: CommandOptions): Sender {
  const {limitMilliseconds = usualLimitMilliseconds} = options
  const secrets = words.slice(1).flatMap((word) => word.split(/[\s"']+/).filter(mayBeSecret))
  const hide = (line: string) => secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)
  return {
    kind: 'command',
    shown: `The command ${words[0]}`,
    async send(event, _, stop) {
      let last = ''
      const onLine = (line: string) => {
        last = `: ${hide(line)}`
      }
      const input = `${JSON.stringify(event)}\n`
      const end = await runProgram(words, {...options, limitMilliseconds, input, onLine, ...(stop && {signal: stop})})
      const isDelivered = end.how === 'exit' && end.code === 0
      return {isDelivered, isFinal: end.how === 'not started', text: describeEnd(end, limitMilliseconds) + last}
    },
  }
}

/** Part of an argument that may hold a token or an address with one; its output may repeat it. */
function mayBeSecret(part: string): boolean {
  return part.length >= 8 && !part.startsWith('-')
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such command',
  EACCES: 'it may not be run',
}

function describeEnd(end: ProgramEnd, limitMilliseconds: number): string {
  switch (end.how) {
    case 'exit':
      return `it ended with exit code ${end.code}`
    case 'signal':
      return `it was killed by ${end.signal}`
    case 'not started':
      return startFailures[end.code] ?? `it cannot be started (${end.code})`
    case 'stopped':
      return 'stopped on request'
    default:
      return `it did not end within ${limitMilliseconds / 1_000} seconds`
  }
}
