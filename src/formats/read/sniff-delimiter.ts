import {CsvError} from 'csv-parse'
import {parse} from 'csv-parse/sync'

const delimiters = [',', ';', '\t', '|']
const sampledRecords = 20

/**
 * The delimiter of a CSV file by its first records: the one that gives every record as many cells as the header, else
 * the one that gives the header most. `delimiter_auto` of csv-parse also takes letters, and fails on any but ASCII.
 */
export function sniffDelimiter(head: string): string {
  const ranked = delimiters
    .map((delimiter) => ({delimiter, widths: widthsOf(head, delimiter)}))
    .map(({delimiter, widths: [count = 1, ...others]}) => ({
      delimiter,
      count,
      isSteady: others.every((other) => other === count),
    }))
    .filter(({count}) => count > 1)
    .sort((one, other) => Number(other.isSteady) - Number(one.isSteady) || other.count - one.count)

  return ranked[0]?.delimiter ?? ','
}

/** How many cells each of the first records has; a text that cannot be read on ends them. */
function widthsOf(head: string, delimiter: string): number[] {
  const widths: number[] = []
  const options = {delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true, to: sampledRecords}
  try {
    parse(completeLines(head), {...options, on_record: (record: string[]) => void widths.push(record.length)})
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }

  return widths
}

function completeLines(head: string): string {
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1 || head.length)
}
