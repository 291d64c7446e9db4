import {createHash} from 'node:crypto'
import {readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {makePrivateFolder} from '../private-folder.js'
import type {Environment} from './environment.js'
import {fingerprint} from './fingerprint.js'
import {stateFolder} from './folders.js'
import type {OpenedClient} from './open-client.js'

/** The alert codes that a service listed to a key: to ask again for one that is among them would be a request for nothing. */
export type KnownCodes = {read(now: number): string[]; write(codes: readonly string[], now: number): void}

/** Services change: what was listed is asked anew after so many milliseconds. */
const believed = 30 * 86_400_000

/** What cannot be read or written here costs a request, and keeps nobody from anything. */
export function openKnownCodes({resolved, found}: OpenedClient, environment: Environment): KnownCodes {
  const {baseUrl, stage} = resolved.values
  const facts = [baseUrl.value, stage.value, fingerprint(found.credentials?.apiKey ?? '')]
  const name = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
  const folder = join(stateFolder(environment), 'alert-codes')
  const path = join(folder, `${name}.json`)
  return {
    read(now) {
      try {
        const {at, codes} = JSON.parse(readFileSync(path, 'utf8')) as {at: number; codes: string[]}
        return at <= now && now - at < believed ? codes.map(String) : []
      } catch {
        return []
      }
    },
    write: (codes, now) => writeWhole(folder, path, JSON.stringify({at: now, codes})),
  }
}

function writeWhole(folder: string, path: string, text: string): void {
  const part = `${path}.${process.pid}.part`
  try {
    makePrivateFolder(folder)
    writeFileSync(part, text, {mode: 0o600})
    renameSync(part, path)
  } catch {
    rmSync(part, {force: true})
  }
}
