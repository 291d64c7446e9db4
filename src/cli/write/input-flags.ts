import {Flags} from '@oclif/core'
import {commandLine} from '../../core/command-line.js'
import {dialectNames, inputFormats} from '../../formats/names.js'
import {localeNames} from '../../validate/locales.js'
import type {CommandContext} from '../app/command-context.js'
import {environmentName as env, grouped, repeatable} from '../app/flags.js'

/** Names in place of ids; of writes that change records, and of `lint`. */
export const matchFlag = {
  env: env('match'),
  ...repeatable,
  helpGroup: 'INPUT',
  helpValue: 'a,b',
  description: 'Find the record of a row by these columns instead of its id.',
} as const

/** Flags for reading a file of rows; of every command that reads one. */
export const inputFlags = {
  recipe: Flags.string({
    helpGroup: 'INPUT',
    helpValue: 'NAME',
    description: 'Take the flags of this recipe of the jobs file.',
  }),
  ...grouped('INPUT', {
    'input-format': Flags.option({
      options: inputFormats,
      description: 'Input format; detected from file name and content by default.',
    })(),
    sheet: Flags.string({
      helpValue: 'NAME|NUMBER',
      description: 'Sheet of a workbook; by default the one whose header fits.',
    }),
    'header-row': Flags.integer({
      min: 1,
      helpValue: 'NUMBER',
      description: 'Row that names the columns; by default the first with a value.',
    }),
    delimiter: Flags.string({
      helpValue: 'CHARACTER',
      description: 'CSV delimiter: one character, or tab; detected by default.',
    }),
    encoding: Flags.string({
      helpValue: 'NAME',
      description: 'Encoding, e.g. windows-1252 or utf-16le; by default UTF-8 or as the byte order mark says.',
    }),
    'csv-dialect': Flags.option({
      options: dialectNames,
      description: 'excel: remove the apostrophe from escaped formulas.',
    })(),
    locale: Flags.option({
      options: localeNames,
      description: 'Read numbers, dates, times and booleans as a spreadsheet of this locale writes them.',
    })(),
    map: Flags.string({
      ...repeatable,
      helpValue: "'COLUMN=FIELD'",
      description: 'Map a column of the file to a field; repeatable.',
    }),
    'map-file': Flags.string({
      helpValue: 'PATH',
      description: 'File of mappings: one COLUMN=FIELD per line, or a JSON object.',
    }),
    set: Flags.string({
      ...repeatable,
      helpValue: "'FIELD=VALUE'",
      description: 'Set a field in every row, if the file has no such column; \\N is null; repeatable.',
    }),
    lookup: Flags.string({
      ...repeatable,
      helpValue: 'IDFIELD=FIELD',
      description: 'Find an id by another field of that record, as in machineId=prose; repeatable.',
    }),
    'map-values': Flags.string({
      ...repeatable,
      helpValue: 'FIELD=FILE',
      description: 'Replace the values of a field, as a file with the columns from and to says; repeatable.',
    }),
    empty: Flags.option({
      options: ['omit', 'null', 'string'] as const,
      description: 'Meaning of an empty cell; omit leaves the field out. "" is always empty text, \\N always null.',
    })(),
    'unknown-columns': Flags.option({
      options: ['error', 'ignore', 'send'] as const,
      description: 'How to treat columns that the contract does not know; error by default.',
    })(),
    'allow-damage': Flags.string({
      ...repeatable,
      helpValue: 'COLUMN',
      description: 'Send a column that looks damaged by a spreadsheet, once you have checked it; repeatable.',
    }),
  }),
}

/** The flags of an input as they were given, to repeat them in a command. */
export function givenInput(flags: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  const given = ['match', ...Object.keys(inputFlags)].flatMap((name): [string, string | string[]][] => {
    const value = name === 'recipe' ? undefined : flags[name]
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(String)]]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
  })
  return Object.fromEntries(given)
}

type ChangeFlags = {readonly change?: string[] | undefined; readonly round?: string | undefined}

/** The changes as they were given, to repeat them in a command. */
export function givenChanges({change, round}: ChangeFlags) {
  return {...(change && {change: [...change]}), ...(round !== undefined && {round})}
}

/** Flags for the layout of the input; a copy of its rows has a layout of its own. */
const layoutFlags = new Set(['input-format', 'sheet', 'header-row', 'delimiter', 'encoding'])

/** Flags without a value that decide what becomes of rows. */
const ofRows = ['replace', 'allow-similar', 'no-create', 'no-update'] as const

type Switches = {readonly [Name in (typeof ofRows)[number]]?: boolean | undefined}

const givenSwitches = (flags: Switches): {[flag: string]: true} =>
  Object.fromEntries(ofRows.flatMap((name) => (flags[name] === true ? [[name, true as const]] : [])))

type RowFlags = ChangeFlags &
  Switches & {file?: string | undefined; set?: string[] | undefined; 'apply-plan'?: string | undefined}

/**
 * The flags with which a copy of the rows is sent like the input; undefined where they are not known, as for a plan.
 */
export function rowFlags(flags: RowFlags): {[flag: string]: string | string[] | true} | undefined {
  const {file, set, change, 'apply-plan': plan} = flags
  if (plan !== undefined || (file ?? set ?? change) === undefined) return undefined
  const given = Object.entries(givenInput(flags)).filter(([name]) => !layoutFlags.has(name))
  return {...Object.fromEntries(given), ...givenChanges(flags), ...givenSwitches(flags)}
}

/** Input flags from which on a recipe is proposed. */
const manyFlags = 3

/** Advice to save many input flags as a recipe; none where they come from one, or in a job. */
export function offerRecipe(
  flags: ChangeFlags & Switches & {readonly recipe?: string | undefined},
  {commandName, environment}: Pick<CommandContext, 'commandName' | 'environment'>,
): string | undefined {
  const given = {...givenInput(flags), ...givenChanges(flags)}
  if (flags.recipe !== undefined || environment['VENDORCTL_JOB'] || Object.keys(given).length < manyFlags)
    return undefined
  const all = {...given, ...givenSwitches(flags)}
  const save = commandLine('import save', ['NAME'])
  return `→ Keep these flags under a name: ${save} -- ${commandLine(commandName, [], all).replace(/^vendorctl /, '')}`
}
