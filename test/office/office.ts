import {execFile} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, extname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {promisify} from 'node:util'
import {findOffice} from './find-office.js'

const run = promisify(execFile)
const csv = '44,34,76,1,,0,false,false' // commas, quotes, UTF-8, from the first line on; special numbers are left as they are
const filters = {
  xlsx: 'xlsx:Calc MS Excel 2007 XML',
  csv: `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true`,
  ods: 'ods',
} as const
export type OfficeFormat = keyof typeof filters

/** Opens a file in LibreOffice and saves it beside in a format, as a person does who changes nothing; gives its path. */
export async function saveByOffice(path: string, format: OfficeFormat): Promise<string> {
  const folder = join(dirname(path), 'saved')
  const user = mkdtempSync(join(tmpdir(), 'vendorctl-office-user-'))
  const input = extname(path) === '.csv' ? [`--infilter=CSV:${csv}`] : []
  try {
    await run(
      findOffice(),
      [
        ...['--headless', '--norestore', `-env:UserInstallation=${pathToFileURL(user).href}`, ...input],
        ...['--convert-to', filters[format], '--outdir', folder, path],
      ],
      {timeout: 120_000},
    )
  } finally {
    rmSync(user, {recursive: true, force: true})
  }

  return join(folder, `${basename(path, extname(path))}.${format}`)
}
