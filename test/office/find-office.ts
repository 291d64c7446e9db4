import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'

const places = ['soffice', 'libreoffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice']

/** The program of LibreOffice. Throws how to get it when there is none. */
export function findOffice(): string {
  const named = process.env['SOFFICE']
  const found = (named === undefined ? places : [named]).find(isProgram)
  if (found !== undefined) return found
  throw new Error(
    `LibreOffice was not found (${named ?? 'soffice'}). Get it with apt-get install libreoffice-calc, dnf install ` +
      'libreoffice-calc, brew install --cask libreoffice or winget install TheDocumentFoundation.LibreOffice, ' +
      'or name the program in SOFFICE.',
  )
}

function isProgram(place: string): boolean {
  return place.includes('/') ? existsSync(place) : spawnSync('which', [place]).status === 0
}

/** Stops the tests before the first one where LibreOffice is missing. */
export default function setup(): void {
  findOffice()
}
