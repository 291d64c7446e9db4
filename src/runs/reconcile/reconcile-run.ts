import type {Journal} from '../journal/journal.js'
import {exitOfRun} from '../report/exit-of-run.js'
import {reportOfRun} from '../report/report-of-run.js'
import type {LoadedPart, LoadedRun} from '../resume/left-sets.js'
import {loadRun, recordsOf} from '../resume/load-run.js'
import {toAnswerText} from '../send/journal-answer.js'
import {readOnlyOne} from './only-one.js'
import {reconcileSet} from './reconcile-set.js'
import type {ReconciledSet, ReconcileOptions, ReconcileReport} from './report.js'
import {leave, note, release, type SetInDoubt} from './set-in-doubt.js'
import {showRecords} from './show-records.js'

/**
 * Finds out what became of every set in doubt, and finishes those that may be sent again. What it learns is durable
 * immediately. Never throws for what the service or the network does; throws a `CliFailure` (storage) when the journal
 * cannot keep what was learned.
 */
export async function reconcileRun(
  journal: Journal,
  loaded: LoadedRun,
  options: ReconcileOptions,
): Promise<ReconcileReport> {
  const open = openPartsOf(loaded)
  const preimages = open.length === 0 ? new Map<string, string>() : new Map(journal.preimages())
  const onlyOne = createOnlyOne(loaded, options)
  const sets: ReconciledSet[] = []
  const left = new Set(open)
  let stopped = false
  for (const entry of open) {
    left.delete(entry)
    const context = toContext({
      journal,
      loaded,
      options,
      entry,
      preimages,
      onlyOne,
      others: [...left, ...doubtful(open, sets)],
    })
    stopped = (await reconcileOne(context, stopped)) || stopped
    const look = context.report.fate === 'inDoubt' ? showRecords(context) : undefined
    if (look !== undefined) context.report.look = look
    sets.push(context.report)
  }

  const now = loadRun(journal)
  const report = reportOfRun(now)
  return {
    sets,
    solved: report.rows.inDoubt === 0,
    stopped,
    loaded: now,
    report,
    exit: exitOfRun({...report.ending, isReconciled: true}),
  }
}

/** The sets of a run of which it is not known whether they were applied. */
export function openPartsOf({parts}: LoadedRun): LoadedPart[] {
  return parts.filter(({part}) => part.state === 'sent' || part.state === 'inDoubt')
}

function doubtful(open: readonly LoadedPart[], sets: readonly ReconciledSet[]): LoadedPart[] {
  return open.filter((_, index) => sets[index]?.fate === 'inDoubt')
}

async function reconcileOne(context: SetInDoubt, stopped: boolean): Promise<boolean> {
  const {assume} = context.options
  if (assume) {
    assumeFate(context, assume)
    return false
  }
  if (!stopped && !context.options.signal?.aborted) return reconcileSet(context)
  note(context, 'not probed: stopped before')
  leave(context)
  return true
}

/** Takes what a person says as it is. */
function assumeFate(context: SetInDoubt, assume: 'applied' | 'notApplied'): void {
  const {journal, entry, report} = context
  note(context, assume === 'applied' ? 'assumed to be applied' : 'assumed not to be applied')
  if (assume === 'notApplied') {
    release(context, 'person', 'recorded by hand as not applied')
    return
  }
  const answer = toAnswerText({fate: 'applied', ids: [], records: []})
  report.fate = 'applied'
  report.how = 'person'
  if (context.options.dryRun) return
  const why = 'recorded by hand as applied'
  journal.keep(() => journal.change(entry.part.seq, {state: 'confirmed', answer, how: 'person', why}))
}

type Given = Pick<SetInDoubt, 'journal' | 'options' | 'entry' | 'preimages' | 'onlyOne' | 'others'> & {
  loaded: LoadedRun
}

function toContext({loaded, entry, ...given}: Given): SetInDoubt {
  const {operation, rows} = loaded.plan
  const {places, number} = entry.set
  const lines = places.map((place) => rows.at(place)?.line ?? 0)
  return {
    ...given,
    entry,
    run: loaded,
    operation,
    records: recordsOf(operation, given.journal.bodyOf(entry.part.seq)),
    report: {
      part: entry.part.seq,
      set: number,
      rows: places.length,
      lines: [lines.at(0) ?? 0, lines.at(-1) ?? 0],
      fate: 'inDoubt',
      how: null,
      probes: {good: 0, void: 0},
      sent: 0,
      evidence: [],
      unclear: [],
      differences: [],
    },
  }
}

/** Reads once which records the service keeps only one of. */
function createOnlyOne({plan}: LoadedRun, {client}: ReconcileOptions): SetInDoubt['onlyOne'] {
  let found: ReturnType<SetInDoubt['onlyOne']> | undefined
  return () => {
    found ??= readOnlyOne(client, plan.operation)
    return found
  }
}
