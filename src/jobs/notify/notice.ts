import type {Clock} from '../../core/clock.js'
import {type Environment, withoutSecrets} from '../../core/environment.js'
import {privateName} from '../../core/private-name.js'
import {describeEnd, runProgram} from '../run-program.js'
import type {Targets} from './channel.js'
import type {Run} from './event.js'
import {createNotifier, type Notifier, type Sender} from './notifier.js'
import {findOutstanding, openRecord, type RunRecord} from './outbox.js'
import {createUrlSender, isOpenToOthers, showUrl} from './send-url.js'

export type Notice = {notifier: Notifier; record: RunRecord | undefined}

/** Needs of notifying from the program. */
export type NoticeNeeds = {
  environment: Environment
  /** The folder of records; undefined where others could change them. */
  folder: string | undefined
  clock: Clock
  caution: (text: string) => void
  redact: (text: string) => string
}

/** The notifier of a run that is about to start, and the record of it. Undefined where nobody is to be notified. */
export function openNotice(run: Run, targets: Targets, needs: NoticeNeeds): Notice | undefined {
  const {folder, clock, caution, redact} = needs
  const senders = toSenders(targets, needs)
  if (senders.length === 0) return undefined
  cautionOpen(targets, caution)
  const key = privateName([run.command, run.name, targets.url ?? '', ...(targets.command ?? [])])
  const record = folder === undefined ? undefined : openRecord(folder, key, run)
  const earlier = () => (folder === undefined ? [] : findOutstanding(folder, key, clock.now()))
  const shared = {run, senders, record, clock, warn: caution, redact}
  return {record, notifier: createNotifier({...shared, findOutstanding: earlier})}
}

/** The notifier of a run whose watching process is gone. */
export function continueNotice(
  run: Run,
  targets: Targets,
  record: RunRecord | undefined,
  needs: NoticeNeeds,
): Notifier {
  const {clock, caution, redact} = needs
  return createNotifier({run, senders: toSenders(targets, needs), record, clock, warn: caution, redact})
}

/** Warns of an address that is reached by plain http. */
export function cautionOpen({url: text}: Targets, caution: NoticeNeeds['caution']): void {
  const url = text === undefined ? undefined : new URL(text)
  if (!url || !isOpenToOthers(url)) return
  caution(`Notifications go to ${showUrl(url)} by plain http: anyone on the way can read them, and the address`)
}

export function toSenders(
  {url, command}: Targets,
  {environment, clock}: Pick<NoticeNeeds, 'environment' | 'clock'>,
): Sender[] {
  return [
    ...(url === undefined ? [] : [createUrlSender(new URL(url), {environment})]),
    ...(command === undefined ? [] : [createCommandSender(command, {environment: withoutSecrets(environment), clock})]),
  ]
}

type CommandOptions = {
  /** Environment of the command, without secrets of this program. */
  environment: NodeJS.ProcessEnv
  clock: Pick<Clock, 'sleep'>
  /** The command and all that it started are ended after this time. */
  limitMilliseconds?: number
}

const usualLimitMilliseconds = 10_000

/** Notifies by a command without a shell, which has the event as JSON on its standard input. */
export function createCommandSender(command: readonly [string, ...string[]], options: CommandOptions): Sender {
  const {limitMilliseconds = usualLimitMilliseconds} = options
  const limit = `${limitMilliseconds / 1_000} seconds`
  const secrets = command.slice(1).flatMap((arg) => arg.split(/[\s"']+/).filter(mayBeSecret))
  const hide = (line: string) => secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)
  return {
    kind: 'command',
    shown: `The command ${command[0]}`,
    async send(event, _, stop) {
      let last = ''
      const onLine = (line: string) => {
        last = `: ${hide(line)}`
      }
      const input = `${JSON.stringify(event)}\n`
      const end = await runProgram(command, {...options, limitMilliseconds, input, onLine, ...(stop && {signal: stop})})
      const isDelivered = end.how === 'exit' && end.code === 0
      return {isDelivered, isFinal: end.how === 'not started', text: `it ${describeEnd(end, limit)}${last}`}
    },
  }
}

/** Whether a part of an argument may be a secret, such as a token in an address, which the output may repeat. */
function mayBeSecret(part: string): boolean {
  return part.length >= 8 && !part.startsWith('-')
}
