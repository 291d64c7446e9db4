import {Args, Flags} from '@oclif/core'
import type {BooleanFlag, FlagInput, OptionFlag} from '@oclif/core/interfaces'
import {limits, stageNames} from '../../contract/index.js'
import {dialectNames} from '../../formats/names.js'
import {FlagValueError} from './usage-error.js'

/** The environment variable of a flag: `VENDORCTL_` and its name. */
export function environmentName(flag: string): string {
  return `VENDORCTL_${flag.toUpperCase().replaceAll('-', '_')}`
}

const env = environmentName

/** Flags by their names, each with its environment variable. */
export function named<Input extends FlagInput>(flags: Input): Input {
  const add = ([name, flag]: [string, FlagInput[string]]) => [name, {...flag, env: environmentName(name)}]
  return Object.fromEntries(Object.entries(flags).map(add)) as Input
}

/** Flags by their names as `named` makes them, in a group of the help; a flag with a group of its own keeps that. */
export function grouped<Input extends FlagInput>(helpGroup: string, flags: Input): Input {
  const add = ([name, flag]: [string, FlagInput[string]]) => [name, {helpGroup, ...flag}]
  return named(Object.fromEntries(Object.entries(flags).map(add)) as Input)
}

/** The values of flags as the parser hands them out; one that was not given is missing or undefined. */
export type FlagValues<Input extends FlagInput> = {
  readonly [Name in keyof Input]?: Input[Name] extends BooleanFlag<infer Value> | OptionFlag<infer Value>
    ? Value | undefined
    : never
}

/** Flags of every command. */
export const globalFlags = grouped('GLOBAL', {
  json: Flags.boolean({description: 'Print one JSON object: data, meta, warnings, errors.'}),
  quiet: Flags.boolean({char: 'q', description: 'Print only data and errors.'}),
  verbose: Flags.boolean({char: 'v', description: 'Print more details on standard error.'}),
  'no-color': Flags.boolean({description: 'No colours (also NO_COLOR).'}),
  'no-input': Flags.boolean({description: 'Never prompt; fail instead.'}),
})

/** Flags that choose settings. */
export const profileFlags = grouped('SERVICE', {
  profile: Flags.string({char: 'p', description: 'Profile to use.'}),
  stage: Flags.string({options: stageNames, description: 'Stage (deployed version) of the service.'}),
})

export const runArgs = {
  id: Args.string({
    required: true,
    ignoreStdin: true,
    description: 'Run id (or its first or last characters), or `latest`.',
  }),
}

/** Flags of every command that speaks to the service. */
export const clientFlags = grouped('SERVICE', {
  ...profileFlags,
  timeout: Flags.integer({min: 1, max: 3_600, helpValue: 'SECONDS', description: 'Maximum wait for one response.'}),
  'max-requests': Flags.integer({min: 1, helpValue: 'N', description: 'Maximum number of requests to send.'}),
  'log-http': Flags.string({
    helpValue: 'FILE',
    description: 'Append every request to this file as NDJSON, without secrets.',
  }),
})

export const pageSizeFlag = Flags.integer({
  env: env('page-size'),
  min: 1,
  max: limits.maximumPageSize,
  helpGroup: 'OUTPUT',
  helpValue: 'N',
  description: 'Records per request.',
})

/** A flag of commands that may need more requests than are left of the day. */
export const untilQuotaFlag = Flags.boolean({
  env: env('until-quota'),
  helpGroup: 'SERVICE',
  description: "Do as much as today's remaining requests allow, then exit 8.",
})

/** A flag that may be given several times, with one value each. */
export const repeatable = {multiple: true, multipleNonGreedy: true} as const

/** Conditions on records, of reads and of writes that choose theirs. */
export const whereFlag = {
  env: env('where'),
  ...repeatable,
  helpValue: "'col=value'",
  description: 'Only records that match; also != < <= > >= ~ (contains) !~; dates as --start; repeatable (AND).',
} as const

/** Which records a command prints, and where to, whatever their format. */
export const resultFlags = grouped('OUTPUT', {
  'output-file': Flags.string({
    helpValue: 'PATH',
    description: 'Write to this file, which appears only when complete; - is standard output.',
  }),
  overwrite: Flags.boolean({description: 'Replace an existing output file.'}),
  columns: Flags.string({helpValue: 'a,b.c', description: 'Only these columns, in this order.'}),
  where: Flags.string(whereFlag),
  sort: Flags.string({helpValue: 'col,-col', description: 'Sort by these columns; a minus means descending.'}),
  limit: Flags.integer({
    min: 0,
    helpValue: 'N',
    description: 'Maximum number of records; a note says if there are more.',
  }),
  'csv-dialect': Flags.option({
    options: dialectNames,
    description: 'excel: with BOM, CRLF and escaped formulas in text columns.',
  })(),
  delimiter: Flags.string({description: 'CSV delimiter (one character).'}),
  'page-size': pageSizeFlag,
  'fail-on-empty': Flags.boolean({description: 'Exit 9 if nothing matched.'}),
  'fail-on-missing': Flags.boolean({
    description: 'Exit 10 if an id given to a filter does not exist; looks up ids of other resources.',
  }),
  'fail-on-truncate': Flags.boolean({description: 'Exit 10 if --limit cut off records.'}),
})

/** A flag of reads whose dates the service may clamp. */
export const allowClampFlag = Flags.boolean({
  env: env('allow-clamp'),
  helpGroup: 'FILTER',
  description: 'Accept a range that the service shortened.',
})

export type ViewFormat = 'table' | 'markdown' | 'html'

/** A value of -o. VENDORCTL_OUTPUT may name a format that only records have; then it is a table. */
export function parseOutput<Format extends string>(formats: readonly Format[]) {
  return async (text: string): Promise<Format | 'table'> => {
    const known = formats.find((name) => name === text)
    if (known) return known
    if (text === process.env[env('output')]) return 'table'
    throw new FlagValueError(`--output is none of ${formats.join(', ')}: "${text}".`)
  }
}

/** The flag -o of a command that shows one thing in one of these forms. */
export function viewFlag(formats: readonly ViewFormat[]) {
  return Flags.custom<ViewFormat>({
    char: 'o',
    env: env('output'),
    helpGroup: 'OUTPUT',
    helpValue: formats.join('|'),
    description: 'Output format; by default that of the file name, else table.',
    parse: parseOutput(formats),
  })()
}

/** Flags of a command that shows one thing, as text or as a page. */
export const showViewFlags = {
  output: viewFlag(['table', 'markdown', 'html']),
  'output-file': resultFlags['output-file'],
  overwrite: resultFlags.overwrite,
}
