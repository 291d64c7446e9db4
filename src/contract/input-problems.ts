import type {InputProblem} from './grammar.js'

const spreadsheet = 'Make the column text in the spreadsheet and enter the value again.'

/** Why a file is refused here before anything is sent: problems of the whole file, of its columns, of its cells. */
export const inputProblems = {
  UNREADABLE_FILE: {
    about: 'The file cannot be opened or read.',
    hint: 'Check its path and its permission.',
  },
  EMPTY_FILE: {
    about: 'The file holds nothing.',
    hint: 'Its first line must name the columns: vendorctl contract show OPERATION --format csv-template.',
  },
  BINARY_FILE: {
    about: 'The file is no text: a workbook, an archive, or UTF-16 without its byte order mark.',
    hint: 'Save it as "CSV UTF-8", or name its encoding with --encoding.',
  },
  BAD_ENCODING: {
    about: 'The bytes of the file are no text of its encoding.',
    hint: 'Save it as UTF-8, or name its encoding, such as --encoding windows-1252.',
  },
  UNCLOSED_QUOTE: {
    about: 'A quote is opened and never closed, so that the rest of the file is one cell.',
    hint: 'Close the quote, and write a quote inside a quoted cell twice.',
  },
  STRAY_QUOTE: {
    about: 'A quote stands inside a cell that is not quoted, or text follows a closing quote.',
    hint: 'Put the whole cell in quotes, and write the quote inside it twice: "5"" pipe".',
  },
  NOT_CSV: {about: 'The text is no CSV.', hint: 'Look at the named line, and at --delimiter.'},
  NOT_JSON: {
    about: 'The text is not one JSON array of records.',
    hint: 'Write [ and ] around the records; for one record per line: --input-format ndjson.',
  },
  HUGE_RECORD: {
    about: 'One record is longer than any record can be.',
    hint: 'Look for a quote or a bracket that is opened and never closed.',
  },
  HUGE_FILE: {about: 'A file that should hold a list of names is too long for one.', hint: 'Check its path.'},
  INVALID_INPUT: {
    about: 'The file has problems; each of them is an entry of its own.',
    hint: 'Mend the named lines. To check again without sending: vendorctl lint FILE --operation OPERATION.',
  },
  APPLIED_DIFFERENTLY: {
    about: 'An earlier run that is not complete wrote the record of this row with other content.',
    hint: 'Take the row out, or make it as it was applied; --fresh takes no notice of earlier runs.',
  },
  FILE_APPLIED: {
    about: 'A run that is over applied the same rows, which nothing names: they would be there twice.',
    hint: 'Nothing, if once is enough; --fresh sends them once more.',
  },
  BROKEN_ROW: {about: 'The row cannot be read at all.', hint: 'Mend the JSON of the named line.'},
  RAGGED_ROW: {
    about: 'The row has more or fewer cells than the header has columns.',
    hint: 'Put cells that hold the delimiter in quotes, and write a delimiter for every empty cell.',
  },
  EMPTY_ROW: {about: 'All cells of the row are empty; it is left out.', hint: 'Nothing, or remove the row.'},
  DANGEROUS_COLUMN: {
    about: 'The name of the column would reach into the inside of every object.',
    hint: 'Give the column another name.',
  },
  DUPLICATE_COLUMN: {
    about: 'Two columns name the same field; case, spaces, _ and - do not count.',
    hint: 'Remove one of them, or put _ before its name.',
  },
  MISSING_COLUMN: {
    about: 'The file has no column for a field that every record needs.',
    hint: "Add the column, or name the one that holds it: --map 'COLUMN=FIELD'.",
  },
  NAMELESS_COLUMN: {about: 'A column without a name holds a value.', hint: 'Name the column, or empty its cells.'},
  READ_ONLY_COLUMN: {
    about: 'The field is set by the service and never sent by this write.',
    hint: 'Remove the column, or put _ before its name.',
  },
  UNKNOWN_COLUMN: {
    about: 'No field has this name.',
    hint: "Spell it as vendorctl contract show OPERATION does, map it with --map 'COLUMN=FIELD', or say --unknown-columns ignore.",
  },
  UNUSED_MAPPING: {
    about: 'A mapping names a column that the file does not have.',
    hint: 'Check the spelling in --map.',
  },
  DUPLICATE_RECORD: {
    about: 'Two rows of the file are the same record by its natural key.',
    hint: 'Remove one of them.',
  },
  CONTRADICTION: {about: 'Two fields of the row contradict each other.', hint: 'Empty one of them.'},
  MISSING_VALUE: {about: 'The record needs this field, and the cell is empty.', hint: 'Fill the cell.'},
  NOT_NULLABLE: {about: 'The field may not be null.', hint: 'Fill the cell, or say --empty omit.'},
  NOT_A_BOOLEAN: {about: 'The value is neither true nor false.', hint: 'Write true or false.'},
  NOT_A_CHOICE: {
    about: 'The value is none of the words of this field.',
    hint: 'Write one of the words in the message.',
  },
  NOT_A_DATE: {
    about: 'The value is no time of the service, or a time that does not exist.',
    hint: 'Write UTC without an offset, such as 2024-07-30T18:07:05.',
  },
  NOT_A_NUMBER: {about: 'The value is no number.', hint: 'Write digits with a point before the decimals.'},
  NOT_A_RECORD: {about: 'The value is no JSON object or list.', hint: 'Write the value as JSON.'},
  NOT_A_TEXT: {about: 'The value of a JSON file is no text.', hint: 'Put it in quotes.'},
  NOT_AN_INTEGER: {
    about: 'The value is no integer.',
    hint: 'Write digits only: no separators, decimals, signs of money or exponents.',
  },
  SPREADSHEET_DAMAGE: {
    about: 'A spreadsheet or another program changed the value on its way into the file.',
    hint: `${spreadsheet} What is certain is fixed by: vendorctl lint FILE --operation OPERATION --fix COPY. What is meant: --allow-damage COLUMN.`,
  },
  TOO_LONG: {about: 'The text is longer than the service takes.', hint: 'Shorten it.'},
  TOO_SMALL: {about: 'The number is smaller than the service takes.', hint: 'Write a larger number.'},
} as const satisfies Record<string, InputProblem>
