import type {InputProblem} from './base/grammar.js'

const spreadsheet = 'Make the column text in the spreadsheet and enter the value again.'

/** Reasons to refuse a file before anything is sent: problems of the file, of its columns, of its cells. */
export const inputProblems = {
  UNREADABLE_FILE: {about: 'The file cannot be opened or read.', hint: 'Check its path and permissions.'},
  EMPTY_FILE: {
    about: 'The file is empty.',
    hint: 'Its first line must name the columns: vendorctl contract show OPERATION --format csv-template.',
  },
  BINARY_FILE: {
    about: 'The file is neither text nor an xlsx workbook: an archive, another program, or UTF-16 without a mark.',
    hint: 'Save it as an xlsx workbook or "CSV UTF-8", or name its encoding with --encoding.',
  },
  DAMAGED_WORKBOOK: {
    about: 'The workbook is cut off, damaged, or unpacks to more than a table of records.',
    hint: 'Open it in a spreadsheet program, and save it again as an xlsx workbook.',
  },
  SHEET: {
    about: 'No sheet of the workbook has the columns of this write, or more than one has.',
    hint: 'Name the sheet: --sheet NAME.',
  },
  HEADER_ROW: {
    about: 'The columns are named below the first row of the sheet.',
    hint: 'Name the row: --header-row NUMBER.',
  },
  UNREADABLE_CELL: {
    about: 'The cell of the workbook has no value: a failed formula, or one that was never calculated.',
    hint: 'Write the value into the cell, or open the workbook in a spreadsheet program and save it.',
  },
  BAD_ENCODING: {
    about: 'The bytes of the file are not valid in its encoding.',
    hint: 'Save it as UTF-8, or name its encoding, e.g. --encoding windows-1252.',
  },
  UNCLOSED_QUOTE: {
    about: 'A quote is opened and never closed, so the rest of the file is one cell.',
    hint: 'Close the quote, and double each quote inside a quoted cell.',
  },
  STRAY_QUOTE: {
    about: 'A quote is inside an unquoted cell, or text follows a closing quote.',
    hint: 'Quote the complete cell, and double the quote inside it: "5"" pipe".',
  },
  NOT_CSV: {about: 'The text is not CSV.', hint: 'Check the named line and --delimiter.'},
  NOT_JSON: {
    about: 'The text is not one JSON array of records.',
    hint: 'Write [ and ] around the records; for one record per line: --input-format ndjson.',
  },
  HUGE_RECORD: {
    about: 'A record is longer than any valid record.',
    hint: 'Look for a quote or bracket that is opened and never closed.',
  },
  HUGE_FILE: {about: 'A file that should be a list of names is too large.', hint: 'Check its path.'},
  INVALID_INPUT: {
    about: 'The file has problems; each is listed separately.',
    hint: 'Fix the named lines. Check again without sending: vendorctl lint FILE --operation OPERATION.',
  },
  APPLIED_DIFFERENTLY: {
    about: 'An earlier, incomplete run wrote the record of this row with other values.',
    hint: 'Remove the row, or restore the values that were applied; --fresh ignores earlier runs.',
  },
  APPLIED_BY_OTHER_FILE: {
    about:
      'A run of another file, unfinished or with an end that was never reported, made the same change; this row may repeat it.',
    hint: 'Finish that run, or send the other rows with --skip-applied; to send the row anyway, use --fresh.',
  },
  FILE_APPLIED: {
    about: 'A finished run applied the same rows; to send them again would create or change everything twice.',
    hint: 'Nothing, unless they are meant twice: --fresh sends them again; --skip-applied sends the others of an edited file.',
  },
  SIMILAR_RECORD: {
    about: 'The row would create a record whose name is nearly that of one that exists.',
    hint: 'Write the name of the record that is meant; to create another one, use --allow-similar.',
  },
  NOT_TO_CREATE: {
    about: 'The record of the row does not exist, and --no-create is given.',
    hint: 'Remove the row, correct what names its record, or leave out --no-create.',
  },
  NOT_TO_UPDATE: {
    about: 'The row would change a record, and --no-update is given.',
    hint: 'Remove the row, or leave out --no-update.',
  },
  BROKEN_ROW: {about: 'The row cannot be read.', hint: 'Fix the JSON of the named line.'},
  RAGGED_ROW: {
    about: 'The row has more or fewer cells than the header has columns.',
    hint: 'Quote cells that contain the delimiter, and write a delimiter for every empty cell.',
  },
  EMPTY_TEXT: {
    about:
      'The cell is "", a text of no letters, which a workbook cannot hold: there the field would be left as it is.',
    hint: 'Write csv or tsv.',
  },
  EMPTY_ROW: {about: 'All cells of the row are empty; it is skipped.', hint: 'Nothing, or remove the row.'},
  DANGEROUS_COLUMN: {
    about: 'The name of the column would change the prototype of every object.',
    hint: 'Give the column another name.',
  },
  DUPLICATE_COLUMN: {
    about: 'Two columns name the same field; case, spaces, _ and - are ignored.',
    hint: 'Remove one of them, or put _ before its name.',
  },
  MISSING_COLUMN: {
    about: 'The file has no column for a required field.',
    hint: "Add the column, or map another one to it: --map 'COLUMN=FIELD'.",
  },
  NAMELESS_COLUMN: {about: 'A column without a name contains a value.', hint: 'Name the column, or empty its cells.'},
  READ_ONLY_COLUMN: {
    about: 'The field is set by the service and never sent by this write.',
    hint: 'Remove the column, or put _ before its name.',
  },
  UNKNOWN_COLUMN: {
    about: 'No field has this name.',
    hint: "Spell it as in vendorctl contract show OPERATION, map it with --map 'COLUMN=FIELD', or use --unknown-columns ignore.",
  },
  UNUSED_MAPPING: {
    about: 'A mapping names a column that the file does not have.',
    hint: 'Check the spelling in --map or --map-values.',
  },
  UNMAPPED_VALUE: {
    about: 'A file of --map-values has no row for the value.',
    hint: 'Add the value to that file, or write one of the values to which it maps.',
  },
  AMBIGUOUS_MAPPING: {
    about: 'Two rows of a file of --map-values replace the same value.',
    hint: 'Remove one of them.',
  },
  OTHER_LOCALE: {
    about: 'Numbers, times or booleans of the file are spelled as in another locale.',
    hint: 'Name the locale of the spreadsheet, e.g. --locale de; or enter the values as the contract spells them.',
  },
  DUPLICATE_RECORD: {
    about: 'Two rows of the file are the same record by its natural key.',
    hint: 'Remove one of them.',
  },
  AMBIGUOUS_RECORD: {
    about: 'Several records have the values by which the row names one record.',
    hint: 'Add a column that only one of them has to --match, or give the id instead.',
  },
  CONTRADICTION: {about: 'Two fields of the row contradict each other.', hint: 'Empty one of them.'},
  OTHER_ORGANIZATION: {
    about: 'The row moves a record to a place of another organization, or applies a template to a machine of another.',
    hint: 'Name a place or a template of the organization of the record.',
  },
  OUT_OF_ORDER: {
    about: 'With the values of the row, a number of the record would be above another number that limits it.',
    hint: 'Change one of the two numbers that the message names.',
  },
  MISSING_VALUE: {about: 'A required field is empty.', hint: 'Fill in the cell.'},
  NOT_NULLABLE: {about: 'The field may not be null.', hint: 'Fill in the cell, or use --empty omit.'},
  NOT_CHANGEABLE: {
    about: 'The record has no number that --change could change.',
    hint: 'Remove the row, or set the field: --change FIELD==VALUE.',
  },
  NOT_ALLOWED: {
    about: 'The service takes larger and smaller numbers in this field, but not this one.',
    hint: 'Write another number, or remove the row.',
  },
  NOT_A_BOOLEAN: {about: 'The value is neither true nor false.', hint: 'Write true or false.'},
  NOT_A_CHOICE: {
    about: 'The value is not one of those that this field allows.',
    hint: 'Use one of the values in the message.',
  },
  NOT_A_DATE: {
    about: 'The value is not a valid time.',
    hint: 'Write UTC without an offset, e.g. 2024-07-30T18:07:05.',
  },
  NOT_A_NUMBER: {about: 'The value is not a number.', hint: 'Write digits with a decimal point.'},
  NOT_A_RECORD: {about: 'The value is not a JSON object or array.', hint: 'Write the value as JSON.'},
  NOT_A_TEXT: {about: 'The value in a JSON file is not a string.', hint: 'Put it in quotes.'},
  HALF_CHARACTER: {
    about: 'A text contains half of a character, which no encoding can carry.',
    hint: 'Write the complete character, or remove the half.',
  },
  NOT_A_ZONE: {
    about: 'The value is not a time zone.',
    hint: 'Write a Windows name such as Pacific Standard Time, or an IANA name such as Europe/Berlin.',
  },
  NOT_AN_INTEGER: {
    about: 'The value is not an integer.',
    hint: 'Write digits only: no separators, decimals, currency signs or exponents.',
  },
  SPREADSHEET_DAMAGE: {
    about: 'A spreadsheet or another program changed the value.',
    hint: `${spreadsheet} Apply certain fixes with: vendorctl lint FILE --operation OPERATION --fix COPY. If the value is intended: --allow-damage COLUMN.`,
  },
  OUT_OF_BOUNDS: {
    about: 'With the record as it is now, the row would take a number below 0 or above what fits.',
    hint: 'Read the record again, and write a smaller difference.',
  },
  TOO_LONG: {about: 'The text is longer than the service accepts.', hint: 'Shorten it.'},
  TOO_SMALL: {about: 'The number is smaller than the service accepts.', hint: 'Write a larger number.'},
} as const satisfies Record<string, InputProblem>
