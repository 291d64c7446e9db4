import {basename} from 'node:path'
import type {Column} from '../../formats/columns.js'
import type {PartFile} from '../../formats/files/part-file.js'
import {toDateTime} from '../../values/date-time.js'
import {isWidened} from '../read/report-range.js'
import type {Checkpoint, StoredWindow} from '../register/checkpoint.js'
import {type Identity, identityDigest, serializerVersion} from './export-identity.js'
import type {ExportLayout, ExportOptions} from './export-types.js'
import type {Grade} from './grade.js'
import {type Manifest, type ManifestWindow, manifestSchema} from './manifest.js'
import {gradeOf, type WindowFacts} from './window-facts.js'

type Facts = {
  options: ExportOptions
  state: Checkpoint
  file: PartFile
  columns: readonly Column[] | undefined
  grade: Grade
}

/** The manifest of an export, from its checkpoint. */
export function buildManifest({options, state, file, columns, grade}: Facts): Manifest {
  const {source, layout, ask, tool, path} = options
  const {bytes, rows, records} = state.totals()
  const windows = state.windows()
  const facts = windows.map((window) => JSON.parse(window.facts) as WindowFacts)
  const stored = state.facts()
  return {
    schema: manifestSchema,
    file: basename(path),
    tool,
    command: identityDigest(JSON.parse(stored?.identity ?? '{}') as Identity),
    report: ask.report,
    ...source,
    format: layout.format,
    gzip: layout.gzip,
    rowsAre: layout.rows,
    dialect: toDialect(layout),
    columns: columns?.map(({name}) => name) ?? null,
    chosen: layout.chosen ? [...layout.chosen] : null,
    filters: ask.filters as Manifest['filters'],
    where: [...layout.where],
    timeBasis: ask.timeBasis,
    range: {
      asked: [ask.start, ask.end],
      served: servedRange(options, facts),
      askedAs: [ask.moving.start ?? ask.start, ask.moving.end ?? ask.end],
    },
    windows: windows.map(toWindow),
    pages: facts.reduce((sum, {pages}) => sum + pages, 0),
    rows,
    batches: records,
    bytes,
    digest: `sha256:${file.digest()}`,
    grade,
    drift: facts.flatMap(({drift}) => drift),
    requests: {pages: state.counts().requests, probes: state.counts().probes},
    startedAt: stored?.startedAt === undefined ? null : toDateTime(stored.startedAt),
    finishedAt: toDateTime(options.clock.now()),
    serializer: serializerVersion,
  }
}

function toDialect({format, dialect = 'rfc4180', delimiter}: ExportLayout): Manifest['dialect'] {
  if (format !== 'csv' && format !== 'tsv') return null
  return {name: dialect, delimiter: delimiter ?? null, escapesFormulas: dialect === 'excel'}
}

/** Windows of a widened range were wider than what was asked. */
function servedRange({ask}: ExportOptions, facts: readonly WindowFacts[]): [string, string] {
  if (isWidened(ask) || facts.length === 0) return [ask.start, ask.end]
  const starts = facts.map(({served}) => served.start).sort()
  const ends = facts.map(({served}) => served.end).sort()
  return [starts[0] ?? ask.start, ends.at(-1) ?? ask.end]
}

function toWindow({from, to, facts: text}: StoredWindow): ManifestWindow {
  const facts = JSON.parse(text) as WindowFacts
  const {served, pages, rows, records, proven, unproven, waiting, state} = facts
  return {
    asked: [from, to],
    served: [served.start, served.end],
    pages,
    rows,
    batches: records,
    seams: {proven, of: proven + unproven + waiting.length},
    grade: state === 'again' ? null : gradeOf(facts),
  }
}
