import {join} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {systemClock} from '../../core/clock.js'
import type {CliFailure} from '../../core/errors.js'
import {privateName} from '../../core/private-name.js'
import type {Targets} from '../../jobs/notify/channel.js'
import type {Run} from '../../jobs/notify/event.js'
import {createNotifier, type Notifier, type Sender} from '../../jobs/notify/notifier.js'
import {findOutstanding, openRecord, type RunRecord} from '../../jobs/notify/outbox.js'
import {createCommandSender} from '../../jobs/notify/send-command.js'
import {createUrlSender, isOpenToOthers, showUrl} from '../../jobs/notify/send-url.js'
import {withoutSecrets} from '../../jobs/withheld.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {toText} from '../app/messages.js'
import {renderFailure} from '../app/render-failure.js'
import {redact, registerSecretUrl} from '../terminal/redact.js'

export type Notice = {notifier: Notifier; record: RunRecord | undefined}

type Context = {environment: Environment; caution: (text: string) => void}

/** The notifier of a run that is about to start, and the record of it. Undefined where nobody is to be notified. */
export function openNotice(run: Run, targets: Targets, {environment, caution}: Context): Notice | undefined {
  const senders = toSenders(targets, environment)
  if (senders.length === 0) return undefined
  cautionOpen(targets, caution)
  const folder = findFolder(environment)
  const key = privateName([run.command, run.name, targets.url ?? '', ...(targets.command ?? [])])
  const record = folder === undefined ? undefined : openRecord(folder, key, run)
  const earlier = () => (folder === undefined ? [] : findOutstanding(folder, key, systemClock.now()))
  const shared = {run, senders, record, clock: systemClock, warn: caution, redact}
  return {record, notifier: createNotifier({...shared, findOutstanding: earlier})}
}

/** Reports a run that failed before it could start anything. */
export async function reportRefusal(run: Run, targets: Targets, failure: CliFailure, context: Context): Promise<void> {
  const opened = openNotice(run, targets, context)
  opened?.notifier.add(stripVTControlCharacters(toText([renderFailure(failure, process.stderr)])))
  await opened?.notifier.end({exitCode: failure.exitCode})
}

/** The notifier of a run whose watching process is gone. */
export function continueNotice(run: Run, targets: Targets, record: RunRecord | undefined, context: Context): Notifier {
  const senders = toSenders(targets, context.environment)
  return createNotifier({run, senders, record, clock: systemClock, warn: context.caution, redact})
}

/** Warns of an address that is reached by plain http. */
export function cautionOpen(targets: Targets, caution: Context['caution']): void {
  const url = targets.url === undefined ? undefined : new URL(targets.url)
  if (!url || !isOpenToOthers(url)) return
  caution(`Notifications go to ${showUrl(url)} by plain http: anyone on the way can read them, and the address`)
}

/** The targets as they are notified. */
export function toSenders({url, command}: Targets, environment: Environment): Sender[] {
  registerSecretUrl(url)
  return [
    ...(url === undefined ? [] : [createUrlSender(new URL(url), {environment})]),
    ...(command === undefined
      ? []
      : [createCommandSender(command, {environment: withoutSecrets(environment), clock: systemClock})]),
  ]
}

/** Undefined where others could change what is kept. */
function findFolder(environment: Environment): string | undefined {
  try {
    return join(stateFolder(environment), 'notifications')
  } catch {
    return undefined
  }
}
