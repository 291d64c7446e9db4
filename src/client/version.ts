import {readFileSync} from 'node:fs'

let known: string | undefined

/** `vendorctl/<version>`, as every request says. */
export function userAgent(): string {
  known ??= readVersion()
  return `vendorctl/${known}`
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const {version} = JSON.parse(text) as {version: string}
  return version
}
