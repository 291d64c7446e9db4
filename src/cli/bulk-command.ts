import {bulkFromFile} from '../bulk/bulk-from-file.js'
import type {RunOptions, RunReport} from '../bulk/run-plan.js'
import {checkStage} from '../client/address.js'
import {systemClock} from '../clock.js'
import type {WriteId} from '../contract/index.js'
import {BaseCommand} from './base-command.js'
import {allowWrite, type BulkFlagValues, type WriteFlagValues} from './bulk-consent.js'
import {finishRequests} from './finish-requests.js'
import {toInputOptions} from './input-options.js'
import {createLazyClient} from './lazy-client.js'
import {type OpenedClient, openClient} from './open-client.js'
import {Profiles} from './profiles.js'
import {type Progress, startProgress} from './progress.js'
import {renderDiff} from './render-diff.js'
import {renderPlan, toPlanData} from './render-plan.js'
import {renderReport, toBulkData} from './render-report.js'
import {resolveSettings, toSettings} from './settings.js'
import {stopSignal} from './signals.js'

/** Runs a plan, wherever its records come from. */
export type Work = (options: RunOptions, tools: WorkTools) => Promise<RunReport>

export type WorkTools = {client: RunOptions['client']; progress: Progress}

/** A bulk write: everything is checked first, every row ends with a fate. */
export abstract class BulkCommand extends BaseCommand {
  /** A bulk write from a file. */
  protected async write(operation: WriteId, flags: BulkFlagValues): Promise<void> {
    const input = await toInputOptions(flags)
    await this.runBulk(operation, flags, (options) =>
      bulkFromFile(operation, {
        ...options,
        ...input,
        file: flags.file,
        setSize: flags['set-size'],
        atomic: flags.atomic,
        sendUnchanged: flags['send-unchanged'],
        replace: flags.replace,
      }),
    )
  }

  /** A bulk write of any records; the client is opened when it is first needed. */
  protected async runBulk(operation: WriteId, flags: WriteFlagValues, work: Work): Promise<void> {
    const resolved = resolveSettings(flags, this.environment, new Profiles(this.environment))
    if (!flags['dry-run']) checkStage(toSettings(resolved, flags).stage, operation)
    const lazy = createLazyClient(() => openClient(flags, this.environment, this.messages))
    const {client} = lazy
    const progress = await startProgress({
      ...flags,
      quiet: flags.quiet ?? false,
      verbose: flags.verbose ?? false,
      sharesTerminal: true,
      now: systemClock.now,
      print: this.messages.detail,
    })
    const options: RunOptions = {
      client,
      dryRun: flags['dry-run'],
      detailedExit: flags['detailed-exitcode'],
      maximumRecords: flags['max-records'],
      signal: stopSignal,
      confirm: async (plan) => {
        await lazy.open()
        progress.pause()
        if (!(await allowWrite(plan, flags, resolved))) return false
        progress.update(`Set 1 of ${plan.sets.length} …`)
        stopSignal.addEventListener('abort', () => this.#sayStopping(progress), {once: true})
        return true
      },
      onProgress: ({setsDone, sets, rowsDone, rows}) =>
        progress.update(`Set ${setsDone} of ${sets} · ${rowsDone} of ${rows} rows`),
    }
    const report = await work(options, {client, progress}).finally(() => progress.end())

    lazy.opened?.client.close()
    if (flags['fail-on-empty'] && report.outcomes.length === 0) report.exit = 'empty'
    await this.#tell(report, flags, lazy.opened, resolved.values.dailyQuota.value)
  }

  #sayStopping(progress: Progress): void {
    progress.end()
    this.messages.note('Stopping: a set that was sent is waited for, 10 s at most. Ctrl-C again leaves at once.')
  }

  async #tell(
    report: RunReport,
    flags: WriteFlagValues,
    opened: OpenedClient | undefined,
    dailyQuota: string | undefined,
  ): Promise<void> {
    const {dryRun, warnings, notices, rows, exit, entries} = report
    for (const warning of warnings) this.caution(`${warning.file}:${warning.line ?? ''} ${warning.message}`)
    for (const notice of notices) this.caution(notice)
    this.messages.tell(dryRun ? renderPlan(report, Number(dailyQuota)) : await renderReport(report))
    await this.present({
      data: dryRun ? toPlanData(report) : toBulkData(report),
      text: dryRun ? await renderDiff(report, flags.output ?? 'table') : undefined,
      meta: {...(opened && finishRequests(opened)), rows},
      exit,
      errors: entries,
    })
  }
}
