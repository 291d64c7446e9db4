import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'

const places = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of Chromium or Chrome. Throws how to get it when there is none. */
export function findBrowser(): string {
  const {CHROMIUM} = process.env
  for (const place of CHROMIUM === undefined ? places : [CHROMIUM]) {
    if (/[/\\]/.test(place) && existsSync(place)) return place
    const {status, stdout} = spawnSync('which', [place], {encoding: 'utf8'})
    if (status === 0) return stdout.trim()
  }

  throw new Error(
    `Chromium was not found (${CHROMIUM ?? places.slice(0, 3).join(', ')}). Get it with apt-get install chromium, ` +
      'dnf install chromium, brew install --cask chromium or winget install Google.Chrome, or name the program in CHROMIUM.',
  )
}

/** Stops the tests before the first one where there is no browser. */
export default function setup(): void {
  findBrowser()
}
