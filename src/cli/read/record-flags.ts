import {outputFlags} from '../app/flags.js'

const {output, 'output-file': outputFile, overwrite, columns, where, sort, limit} = outputFlags
const {'csv-dialect': dialect, delimiter, 'fail-on-empty': failOnEmpty} = outputFlags

/** Flags of every command that prints records of this machine. */
export const recordFlags = {
  output,
  'output-file': outputFile,
  overwrite,
  columns,
  where,
  sort,
  limit,
  'csv-dialect': dialect,
  delimiter,
  'fail-on-empty': failOnEmpty,
}
