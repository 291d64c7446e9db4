import {CliFailure} from '../../core/errors.js'
import {isPictureFormat, type PictureFormat} from '../../formats/outputs/format-table.js'
import type {CommandContext} from '../app/command-context.js'
import {askedFormat, refuseTerminal} from '../read/format-of.js'
import type {SummaryFlags} from './summary-output.js'

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
    throw new CliFailure('-o svg draws one chart: --chart says which', {
      code: 'USAGE',
      exit: 'usage',
      hints: ['Add --chart days, heatmap, sites, machines or products; all of them in one page: -o html.'],
    })
  if (!isJson) refuseTerminal(picture, path)
  return picture
}

function withoutEffect(message: string, hint: string): CliFailure {
  return new CliFailure(message, {code: 'FLAG_WITHOUT_EFFECT', exit: 'usage', hints: [hint]})
}
