import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {InputFormat} from '../../formats/read/row.js'
import type {Comparison} from '../../runs/plan/compare.js'
import type {Plan} from '../../runs/plan/plan.js'
import {toRowFileOfPlan} from '../../runs/plan/rows-of-plan.js'
import type {ReconciledSet} from '../../runs/reconcile/report.js'
import {withEnding} from '../../runs/report/exit-of-run.js'
import type {RowCopies, RunReport} from '../../runs/report/report.js'
import {requestsSoFar} from '../../runs/report/run-account.js'
import {hasDoubt, hasRefusedCanary, isLeft} from '../../runs/resume/left-sets.js'
import {reportAfter, resumeRun} from '../../runs/resume/resume-run.js'
import type {RunOptions} from '../../runs/send/run-plan.js'
import {readPreimages} from '../../runs/undo/undo-run.js'
import type {OpenedClient} from '../client/open-client.js'
import {findOpenRun} from '../runs/find-open-run.js'
import {type OpenedRun, openClientOfRun, openRun} from '../runs/open-run.js'
import {runFolderOf, systemTimes, tell} from '../runs/run-record.js'
import {findSameInput} from '../runs/same-input.js'
import type {WriteFlagValues} from '../write/bulk-consent.js'
import {BulkWork} from '../write/bulk-work.js'
import type {Written} from '../write/run-files.js'
import type {WorkTools} from '../write/work.js'
import {settleRun} from './settle-run.js'

export type ResumeFlagValues = WriteFlagValues & {'resend-after-settle'?: boolean | undefined}

/** Goes on with a run: finds out about sets in doubt, then sends the sets that are left. */
export class ResumeWork extends BulkWork {
  #run: OpenedRun | undefined
  #opened: Promise<OpenedClient> | undefined

  async resume(text: string | undefined, flags: ResumeFlagValues): Promise<void> {
    const id = text ?? findOpenRun(runFolderOf(this.environment))
    if (id === undefined) throw nothingToResume()
    const run = openRun(this.environment, id)
    this.#run = run
    try {
      const {facts, plan} = run.loaded
      const {path, profile, stage, input, command, file} = facts
      this.messages.note(`Run ${facts.id}: ${command} from ${file}`)
      const values = {
        ...flags,
        profile: flags.profile ?? profile,
        stage: flags.stage ?? stage,
        ...(path !== undefined && {file: path}),
        ...(input?.encoding !== undefined && {encoding: input.encoding}),
      }
      await this.runBulk(plan.operation, values, (options, tools) => this.#work(run, values, options, tools))
    } finally {
      run.close()
    }
  }

  protected override openWriteClient(flags: WriteFlagValues): Promise<OpenedClient> {
    if (!this.#run) throw new TypeError('no run is open')
    this.#opened ??= openClientOfRun(this.#run.loaded.facts, flags, this.environment, this.messages)
    return this.#opened
  }

  protected override get resumes(): string | undefined {
    return this.#run?.id
  }

  /** The journal knows the records as they were before the run. */
  protected override compare(plan: Plan): Comparison | undefined {
    const preimages = this.#run ? new Map(readPreimages(this.#run.journal)) : undefined
    return super.compare({...plan, ...(preimages && {preimages})})
  }

  /** The user knows from here on how the run ended. */
  protected override wasTold({rejects}: Written, {dryRun}: RunReport): void {
    const {journal} = this.#run ?? {}
    if (!dryRun) journal?.transaction(() => tell(journal, {rejects}))
  }

  async #work(
    {journal, loaded, folder}: OpenedRun,
    flags: ResumeFlagValues,
    options: RunOptions,
    {progress}: WorkTools,
  ): Promise<RunReport> {
    const {dryRun = false, permit, confirm} = options
    const copies = await this.#findCopies(loaded)
    const resuming = {...options, folder, times: systemTimes, confirm: undefined}
    if (dryRun) return resumeRun(journal, resuming)
    const open = loaded.parts.filter(isLeft)
    const plan = {...loaded.plan, sets: open.map(({set}) => set)}
    const asks = open.length > 0 && !hasRefusedCanary(loaded)
    if (asks) await permit?.(plan)
    if (asks && confirm && !(await confirm(plan)))
      return {...withEnding(reportAfter(loaded, []), {isCancelled: true}), ...(copies && {copies})}
    const before = requestsSoFar(loaded, journal.outcome())
    let again: ReconciledSet[] = []
    if (hasDoubt(loaded)) {
      const {client} = await this.openWriteClient(flags)
      const {update: onProgress} = progress
      const {sets} = await settleRun({journal, loaded}, {client, flags, onProgress, onWait: this.messages.note})
      again = sets.filter(({sent, fate}) => sent > 0 && fate === 'inDoubt')
    }

    journal.transaction(() => journal.own())
    const report = await resumeRun(journal, resuming)
    const used = (await this.#opened)?.client.requestsUsed ?? 0
    const {exit, rows, notices} = report
    journal.end({exit, rows, requests: before + used, endedAt: systemClock.now(), untold: true})
    const why = again.map(({set, evidence}) => `set ${set}: ${evidence.at(-1)}`)
    return {...report, notices: [...notices, ...why], sentAgain: again.length > 0, ...(copies && {copies})}
  }

  /** What rejects and results are copied from: the input as it was written, or else what the journal holds. */
  async #findCopies({facts, plan}: OpenedRun['loaded']): Promise<RowCopies | undefined> {
    const {input, path = '-'} = facts
    if (!input) return undefined
    const source = await findSameInput(facts)
    const {format, ...rest} = input
    if (source) {
      const rows = () => source.readAgain({format: format as InputFormat, ...rest})
      return {rows, checkSame: source.checkSame, beside: path}
    }

    if (path !== '-') this.caution(`${facts.file} is not there as it was: files of rows are made from the journal`)
    return {rows: async () => toRowFileOfPlan(plan), checkSame: () => undefined, beside: path}
  }
}

/** A script that resumes what a refused command never began must not take that for success. */
function nothingToResume(): CliFailure {
  return new CliFailure('Nothing to resume.', {
    code: 'NOTHING_TO_RESUME',
    exit: 'empty',
    retry: 'no',
    hints: [`See all runs: ${commandLine('runs list')}`],
  })
}
