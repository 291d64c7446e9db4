import {join} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {systemClock} from '../../core/clock.js'
import type {CliFailure} from '../../core/errors.js'
import type {Targets} from '../../jobs/notify/channel.js'
import type {Run} from '../../jobs/notify/event.js'
import {type NoticeNeeds, openNotice} from '../../jobs/notify/notice.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {toText} from '../app/messages.js'
import {renderFailure} from '../app/render-failure.js'
import {redact, registerSecretUrl} from '../terminal/redact.js'

type Context = {environment: Environment; caution: (text: string) => void}

/** What notifying these targets needs; their address is a secret from here on. */
export function toNoticeNeeds({url}: Targets, {environment, caution}: Context): NoticeNeeds {
  registerSecretUrl(url)
  return {environment, caution, folder: findFolder(environment), clock: systemClock, redact}
}

/** Reports a run that failed before it could start anything. */
export async function reportRefusal(run: Run, targets: Targets, failure: CliFailure, context: Context): Promise<void> {
  const opened = openNotice(run, targets, toNoticeNeeds(targets, context))
  opened?.notifier.add(stripVTControlCharacters(toText([renderFailure(failure, process.stderr)])))
  await opened?.notifier.end({exitCode: failure.exitCode})
}

/** Undefined where others could change what is kept. */
function findFolder(environment: Environment): string | undefined {
  try {
    return join(stateFolder(environment), 'notifications')
  } catch {
    return undefined
  }
}
