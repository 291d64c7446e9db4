import {toIso} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {isPictureFormat, type PictureFormat} from '../../formats/outputs/format-table.js'
import type {PageData} from '../../formats/write/html/page-data.js'
import type {Written} from '../../reports/read/row-sink.js'
import {describeMissing} from '../../reports/summary/count-lines.js'
import {createPageSummary, toPageData} from '../../reports/summary/summary-page-facts.js'
import {findRecord, printJson} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {askedFormat, refuseTerminal} from '../read/format-of.js'
import {findFacts} from './page-facts.js'
import type {OutputOptions, SummaryFlags, SummaryOutput} from './summary-output.js'

/** Flags that choose groups and columns, or how they are written. */
const ofGroups = ['by', 'where', 'sort', 'limit', 'columns', 'csv-dialect', 'delimiter'] as const

/**
 * The picture that is asked for, by `-o` or the name of the file; undefined for records. Throws `usage` for flags that
 * have no effect on it, and where a terminal would show its source.
 */
export function findPicture(flags: SummaryFlags, {isJson}: Pick<CommandContext, 'isJson'>): PictureFormat | undefined {
  const path = flags['output-file'] === '-' ? undefined : flags['output-file']
  const format = askedFormat(flags, path)
  const picture = isPictureFormat(format) ? format : undefined
  if (flags.chart !== undefined && picture !== 'svg')
    throw withoutEffect('--chart is for -o svg', 'Add -o svg, or leave --chart out.')
  if (!picture) return undefined
  const given = ofGroups.find((name) => flags[name] !== undefined)
  if (given !== undefined) {
    const what =
      picture === 'html'
        ? 'a page: it always shows days, hours, sites, machines and products'
        : 'a chart: --chart says what is drawn'
    throw withoutEffect(`--${given} has no effect on ${what}`, `Leave --${given} out, or use -o csv.`)
  }
  if (picture === 'svg' && flags.chart === undefined)
    throw usage(
      '-o svg draws one chart: --chart says which',
      'Add --chart days, heatmap, sites, machines or products; all of them in one page: -o html.',
    )
  if (!isJson) refuseTerminal(picture, path)
  return picture
}

function withoutEffect(message: string, hint: string): CliFailure {
  return new CliFailure(message, {code: 'FLAG_WITHOUT_EFFECT', hints: [hint]})
}

/** The page with everything, or one chart; with `--json` and no file the data that they would show. */
export function openPicture(
  format: PictureFormat,
  flags: SummaryFlags,
  {isMixed, context}: OutputOptions,
): SummaryOutput {
  const summary = createPageSummary(isMixed)

  return {
    summary,
    isPage: format === 'html',
    unit: 'line',
    open: async (target) => async (source) => {
      const missing = describeMissing(summary)
      for (const text of missing) context.caution(text)
      const isData = context.isJson && target.path === undefined
      const facts = await findFacts(source, flags, context, {isPage: format === 'html'})
      const notes = [...missing, ...facts.notes]
      const data = toPageData(summary, {...facts, notes, generatedAt: toIso(context.clock.now())})
      if (!isData) await target.write(await draw(format, data, flags))
      return toWritten(data, isData)
    },
  }
}

async function draw(format: PictureFormat, data: PageData, {chart = 'days'}: SummaryFlags): Promise<string> {
  if (format === 'html') {
    const {renderSummaryPage} = await import('../../formats/write/html/summary-page.js')
    return renderSummaryPage(data)
  }

  const {charts} = await import('../../formats/write/html/charts.js')
  return charts[chart](data)
}

/** Lines are the rows of a picture: an empty one has none. */
function toWritten(page: PageData, isData: boolean): Written {
  const data = isData ? (findRecord(printJson(page)) ?? {}) : null
  return {rows: page.totals.lines, lost: new Map(), notes: [], data, isFull: false, isCut: false}
}
