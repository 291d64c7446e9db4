import {inputFailure} from '../input-failure.js'
import type {ZipParts} from './zip-parts.js'

const emptyZip = 'PK\u0005\u0006'
/** How the files of old Office programs begin, and encrypted new ones. */
const oleStart = '\u00d0\u00cf\u0011\u00e0'
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le')
const longestStart = 4

const asXlsx = 'Save it from the spreadsheet as an xlsx workbook, or as "CSV UTF-8".'

/** Archives that are no workbook of ours: by a part that they have. */
const archives: readonly [RegExp, string, string][] = [
  [/^xl\/workbook\.bin$/i, 'a binary workbook (xlsb)', asXlsx],
  [
    /^index\/.*\.iwa$|^index\.zip$/i,
    'a document of Apple Numbers, Pages or Keynote',
    'Export it from Numbers as Excel (xlsx), or as CSV.',
  ],
  [/^content\.xml$/i, 'an OpenDocument file (ods)', asXlsx],
]

/** Throws a `CliFailure` (invalid) for what begins as workbooks do and is none. */
export function refuseOtherFiles(file: string, bytes: Buffer, parts?: ZipParts): void {
  const start = bytes.toString('latin1', 0, longestStart)
  if (start === oleStart)
    throw bytes.includes(encryptedStream)
      ? encrypted(file)
      : other(file, 'an old Excel workbook (xls) or another Office file', asXlsx)
  if (start === emptyZip) throw other(file, 'an empty archive', asXlsx)
  if (!parts) return
  for (const [pattern, what, hint] of archives)
    if (parts.paths.some((path) => pattern.test(path))) throw other(file, what, hint)
  if (!parts.has('_rels/.rels')) throw other(file, 'an archive', 'Unpack it, and name the file inside.')
}

function encrypted(file: string) {
  return other(
    file,
    'a workbook that is encrypted with a password',
    'Save a copy without a password (File > Info > Protect Workbook), and read that.',
  )
}

function other(file: string, what: string, hint: string) {
  return inputFailure('BINARY_FILE', `${what}, which cannot be read`, {file}, [hint])
}
