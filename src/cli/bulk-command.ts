import {bulkFromFile} from '../bulk/bulk-from-file.js'
import type {BulkReport} from '../bulk/report.js'
import {checkStage} from '../client/address.js'
import type {Client} from '../client/types.js'
import {systemClock} from '../clock.js'
import type {WriteId} from '../contract/index.js'
import {BaseCommand} from './base-command.js'
import {allowWrite, type BulkFlagValues} from './bulk-consent.js'
import {finishRequests} from './finish-requests.js'
import {toInputOptions} from './input-options.js'
import {type OpenedClient, openClient} from './open-client.js'
import {Profiles} from './profiles.js'
import {type Progress, startProgress} from './progress.js'
import {renderPlan, renderReport, toBulkData} from './render-report.js'
import {resolveSettings, toSettings} from './settings.js'
import {stopSignal} from './signals.js'

/** A bulk write from a file: everything is checked first, every row ends with a fate. */
export abstract class BulkCommand extends BaseCommand {
  protected async write(operation: WriteId, flags: BulkFlagValues): Promise<void> {
    const resolved = resolveSettings(flags, this.environment, new Profiles(this.environment))
    if (!flags['dry-run']) checkStage(toSettings(resolved, flags).stage, operation)
    const input = await toInputOptions(flags)
    const opening: {opened?: OpenedClient} = {}
    const write: Client['write'] = async (id, sent) => {
      if (!opening.opened) throw new TypeError('a set was sent before the client was opened')
      return opening.opened.client.write(id, sent)
    }

    const progress = await startProgress({
      ...flags,
      quiet: flags.quiet ?? false,
      verbose: flags.verbose ?? false,
      sharesTerminal: true,
      now: systemClock.now,
      print: this.messages.detail,
    })
    const report = await bulkFromFile(operation, {
      client: {write},
      file: flags.file,
      ...input,
      setSize: flags['set-size'],
      atomic: flags.atomic,
      dryRun: flags['dry-run'],
      signal: stopSignal,
      confirm: async (plan) => {
        opening.opened = await openClient(flags, this.environment, this.messages)
        if (!(await allowWrite(plan, flags, resolved))) return false
        progress.update(`Set 1 of ${plan.sets.length} …`)
        stopSignal.addEventListener('abort', () => this.#sayStopping(progress), {once: true})
        return true
      },
      onProgress: ({setsDone, sets, rowsDone, rows}) =>
        progress.update(`Set ${setsDone} of ${sets} · ${rowsDone} of ${rows} rows`),
    }).finally(() => progress.end())

    opening.opened?.client.close()
    await this.#tell(report, opening.opened, resolved.values.dailyQuota.value)
  }

  #sayStopping(progress: Progress): void {
    progress.end()
    this.messages.note('Stopping: a set that was sent is waited for, 10 s at most. Ctrl-C again leaves at once.')
  }

  async #tell(report: BulkReport, opened: OpenedClient | undefined, dailyQuota: string | undefined): Promise<void> {
    for (const warning of report.warnings) this.caution(`${warning.file}:${warning.line ?? ''} ${warning.message}`)
    for (const notice of report.notices) this.caution(notice)
    const text = report.dryRun ? renderPlan(report, Number(dailyQuota)) : await renderReport(report)
    this.messages.tell(text)
    await this.present({
      data: toBulkData(report),
      meta: {...(opened && finishRequests(opened)), rows: report.rows},
      exit: report.exit,
      errors: report.entries,
    })
  }
}
