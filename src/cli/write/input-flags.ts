import {Flags} from '@oclif/core'
import {dialectNames, inputFormats} from '../../formats/names.js'
import {environmentName as env} from '../app/flags.js'

/** How a file of rows is to be read; of every command that reads one. */
export const inputFlags = {
  'input-format': Flags.string({
    env: env('input-format'),
    options: inputFormats,
    helpGroup: 'INPUT',
    description: 'Format; by the ending of the file, else by its first character.',
  }),
  delimiter: Flags.string({
    env: env('delimiter'),
    helpGroup: 'INPUT',
    helpValue: 'CHARACTER',
    description: 'Delimiter of csv, one character or the word tab; found in the first rows unless given.',
  }),
  encoding: Flags.string({
    env: env('encoding'),
    helpGroup: 'INPUT',
    helpValue: 'NAME',
    description: 'Encoding such as windows-1252 or utf-16le; UTF-8 unless a byte order mark says otherwise.',
  }),
  'csv-dialect': Flags.string({
    env: env('csv-dialect'),
    options: dialectNames,
    helpGroup: 'INPUT',
    description: 'excel: take the apostrophe off texts that were escaped as formulas.',
  }),
  map: Flags.string({
    env: env('map'),
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'INPUT',
    helpValue: "'COLUMN=FIELD'",
    description: 'Field that a column of the file holds; repeat for more.',
  }),
  'map-file': Flags.string({
    env: env('map-file'),
    helpGroup: 'INPUT',
    helpValue: 'PATH',
    description: 'File of such pairs: one COLUMN=FIELD a line, or a JSON object.',
  }),
  empty: Flags.string({
    env: env('empty'),
    options: ['omit', 'null', 'string'],
    helpGroup: 'INPUT',
    description: 'What an empty cell means; omit leaves the field out. "" is always empty text, \\N always null.',
  }),
  'unknown-columns': Flags.string({
    env: env('unknown-columns'),
    options: ['error', 'ignore', 'send'],
    helpGroup: 'INPUT',
    description: 'What to do with columns that the contract does not know; error unless given.',
  }),
  'allow-damage': Flags.string({
    env: env('allow-damage'),
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'INPUT',
    helpValue: 'COLUMN',
    description: 'Send a column that looks damaged by a spreadsheet, once you have looked at it; repeat for more.',
  }),
}
