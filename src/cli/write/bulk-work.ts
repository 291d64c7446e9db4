import {exitCodeOf, type WriteId} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure, toEntries} from '../../core/errors.js'
import {checkStage} from '../../http/address.js'
import {bulkFromFile} from '../../runs/plan/run-from-file.js'
import type {RunReport} from '../../runs/report/report.js'
import type {RunOptions} from '../../runs/send/run-plan.js'
import {stateFolder} from '../app/folders.js'
import {endsTold, PipeClosed, sayOnLeaving, stopSignal} from '../app/signals.js'
import {finishRequests} from '../client/finish-requests.js'
import {createLazyClient} from '../client/lazy-client.js'
import {type OpenedClient, openClient} from '../client/open-client.js'
import {checkWrite, endedByQuota} from '../client/within-quota.js'
import {applyPlanFile} from '../plans/apply-plan-file.js'
import {openPlanOut, type PlanOut} from '../plans/plan-file-out.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {createRunKeeper} from '../runs/run-keeper.js'
import {Profiles} from '../settings/profiles.js'
import {resolveSettings, toSettings} from '../settings/settings.js'
import {sayCommand, whyUnheard} from '../terminal/error-output.js'
import {leaveWrite} from '../terminal/last-words.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {createPace} from '../terminal/progress-text.js'
import {type Annotations, openAnnotations} from './annotations.js'
import {AskingWork} from './asking-work.js'
import {askConsent, type BulkFlagValues, checkConsent, type WriteFlagValues, willAsk} from './bulk-consent.js'
import {toInputOptions} from './input-options.js'
import {createSeals} from './rejects-seal.js'
import {renderDiff} from './render-diff.js'
import {renderPlan, toPlanData} from './render-plan.js'
import {renderReport, toBulkData} from './render-report.js'
import {openRunFiles, type RunFiles, type Written, writeFiles} from './run-files.js'
import {checkSending} from './sending-flags.js'
import {addFailure, hintOfResults} from './unwritten.js'
import type {Work} from './work.js'

/** What tells of a run besides the terminal. */
type Telling = {files: RunFiles; annotations: Annotations; planOut: PlanOut | undefined}

/** A bulk write: everything is checked first, every row ends with a fate. */
export class BulkWork extends AskingWork {
  async write(operation: WriteId, flags: BulkFlagValues): Promise<void> {
    const {file = '-', 'apply-plan': plan} = flags
    if (plan !== undefined)
      return this.runBulk(operation, flags, applyPlanFile(operation, plan, flags, this.environment))
    const input = await toInputOptions(flags)
    await this.runBulk(operation, flags, (options, {through}) =>
      bulkFromFile(operation, {
        ...options,
        ...input,
        file,
        through,
        setSize: flags['set-size'],
        canary: flags.canary,
        sendUnchanged: flags['send-unchanged'],
        replace: flags.replace,
      }),
    )
  }

  /** A bulk write of any records; the client is opened when it is first needed. */
  protected async runBulk(operation: WriteId, flags: WriteFlagValues, work: Work): Promise<void> {
    keepMemoryFlatFor(flags.file)
    checkSending(flags)
    const annotations = await openAnnotations(flags, this.environment, sayCommand)
    try {
      const files = await openRunFiles(flags, createSeals(stateFolder(this.environment)))
      const {digest} = files.source
      const planOut = await openPlanOut(flags, {command: this.commandName, environment: this.environment, digest})
      await this.#run(operation, flags, work, {files, annotations, planOut}).finally(async () => {
        await files.discard()
        await planOut?.discard()
      })
    } catch (error) {
      if (error instanceof CliFailure) await annotations.say(toEntries(error))
      throw error
    } finally {
      await annotations.discard()
    }
  }

  async #run(operation: WriteId, flags: WriteFlagValues, work: Work, telling: Telling): Promise<void> {
    const {files, annotations, planOut} = telling
    const resolved = resolveSettings(flags, this.environment, new Profiles(this.environment))
    if (!flags['dry-run']) checkStage(toSettings(resolved, flags).stage, operation)
    const lazy = createLazyClient(() => this.openWriteClient(flags))
    const {client} = lazy
    const progress = await startProgress({
      ...{quiet: flags.quiet ?? false, verbose: flags.verbose ?? false, sharesTerminal: true},
      ...{now: systemClock.now, print: this.messages.detail},
      quotaLeft: () => lazy.opened?.client.quota().left,
    })
    const sayStopping = () => this.#sayStopping(progress)
    const pace = createPace(systemClock.monotonic)
    const keeper = createRunKeeper({
      ...{operation, flags, resolved, lazy, environment: this.environment, messages: this.messages},
      ...{command: this.commandName, source: files.source, onProgress: progress.update},
    })
    const done = {answered: 0, rows: 0}
    sayOnLeaving(() => leaveWrite({resumes: this.resumes, runId: keeper.runId, ...done}))
    const options: RunOptions = {
      client,
      dryRun: flags['dry-run'],
      detailedExit: flags['detailed-exitcode'],
      onError: flags['on-error'],
      bisectBudget: flags['bisect-budget'],
      atomic: flags.atomic,
      maximumRecords: flags['max-records'],
      signal: stopSignal,
      keepPlan: planOut?.write,
      inform: (known) => this.inform(known),
      permit: async (plan) => {
        checkConsent(plan, flags, resolved)
        const tell = (notice: string) => this.caution(notice)
        await keeper.refuseRepeated(plan, {asks: willAsk(plan, flags, resolved), tell})
        checkWrite(plan, (await lazy.open()).client.quota(), flags['until-quota'])
      },
      confirm: async (plan) => {
        progress.pause()
        if (!(await askConsent(plan, flags, resolved, () => this.aroundQuestion(plan, flags.quiet)))) return false
        progress.update(`Set 1 of ${plan.sets.length} …`)
        stopSignal.addEventListener('abort', sayStopping, {once: true})
        done.rows = plan.rows.length
        return true
      },
      recognise: keeper.recognise,
      record: keeper.record,
      onRead: (count) => progress.update(`Reading the current records · ${count}`),
      onProgress: ({setsDone, sets, rowsDone, rows}) => {
        Object.assign(done, {answered: rowsDone, rows})
        progress.update(`Set ${setsDone} of ${sets} · ${pace(rowsDone, setsDone / sets, rows)}`)
      },
    }
    const report = await work(options, {client, progress, through: files.source.through}).finally(() => {
      progress.end()
      stopSignal.removeEventListener('abort', sayStopping) // a reader that leaves now stops nothing
    })
    lazy.opened?.client.close()
    if (flags['until-quota'] && report.exit === 'partial' && endedByQuota(report)) report.exit = 'limited'
    if (flags['fail-on-empty'] && report.outcomes.length === 0) report.exit = 'empty'
    const told = await writeFiles(report, files)
    const unsaid = await annotations.say(report.entries)
    if (unsaid) addFailure(report, told, unsaid)
    await this.#tell(report, told, resolved.values.dailyQuota.value)
    endsTold()
    for (const note of planOut?.notes ?? []) this.messages.tell(note)
    const isSaid = (await this.#presentReport(report, flags, lazy.opened)) && (await whyUnheard()) === undefined
    keeper.close(isSaid ? told : undefined)
    if (isSaid) this.wasTold(told, report)
  }

  /** The run that this command resumes. */
  protected get resumes(): string | undefined {
    return undefined
  }

  /** Called when all was said, and taken by whoever listens. */
  protected wasTold(_told: Written, _report: RunReport): void {}

  /** The client that a write goes through. */
  protected openWriteClient(flags: WriteFlagValues): Promise<OpenedClient> {
    return openClient(flags, this.environment, this.messages, 'writes')
  }

  #sayStopping(progress: Progress): void {
    progress.end()
    this.messages.note('Stopping: a set that was sent is waited for, 10 s at most. Ctrl-C again stops immediately.')
  }

  async #tell(report: RunReport, {notes, failures}: Written, dailyQuota: string | undefined): Promise<void> {
    const {dryRun, warnings, notices} = report
    this.inform({warnings, notices})
    this.messages.tell(dryRun ? renderPlan(report, Number(dailyQuota)) : await renderReport(report, notes))
    for (const {message} of failures) this.messages.tell(`error: ${message}`)
  }

  /** A reader that is gone, or a full disk, hides nothing of the rows: the exit code is theirs. False for a full disk. */
  async #presentReport(report: RunReport, {output = 'table'}: WriteFlagValues, opened?: OpenedClient) {
    const {dryRun, rows, exit, entries, runId} = report
    try {
      await this.present({
        data: dryRun ? toPlanData(report) : toBulkData(report),
        text: dryRun ? await renderDiff(report, output) : undefined,
        meta: {...(opened && finishRequests(opened)), rows},
        exit,
        errors: entries,
        ...(runId !== undefined && {runId}),
      })
    } catch (error) {
      if (error instanceof PipeClosed) return true
      if (dryRun || !(error instanceof CliFailure)) throw error
      this.messages.tell(`error: ${error.message}`)
      if (runId !== undefined) this.messages.tell(`→ ${hintOfResults(runId)}`)
      if (exit === 'ok') process.exitCode = exitCodeOf('storage').code
      return false
    }

    return true
  }
}
