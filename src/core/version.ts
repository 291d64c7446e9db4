import {readFileSync} from 'node:fs'

/** Read once; it cannot change while the process runs. */
let known: string | undefined

/** Version of this program. */
export function version(): string {
  known ??= readVersion()
  return known
}

/** `vendorctl/<version>`, as every request says. */
export function userAgent(): string {
  return `vendorctl/${version()}`
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const {version} = JSON.parse(text) as {version: string}
  return version
}
