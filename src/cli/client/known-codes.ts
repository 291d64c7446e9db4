import {join} from 'node:path'
import {privateName, readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {OpenedClient} from './open-client.js'

/** The alert codes that a service listed to a key: to ask again for one that is among them would be a request for nothing. */
export type KnownCodes = {read(now: number): string[]; write(codes: readonly string[], now: number): void}

/** Services change: what was listed is asked anew after so many milliseconds. */
const believed = 30 * 86_400_000

/** What cannot be read or written here costs a request, and stops no command. */
export function openKnownCodes({resolved, found}: OpenedClient, environment: Environment): KnownCodes {
  const {baseUrl, stage} = resolved.values
  const facts = [baseUrl.value ?? '', stage.value ?? '', fingerprint(found.credentials?.apiKey ?? '')]
  const path = join(stateFolder(environment), 'alert-codes', `${privateName(facts)}.json`)
  return {
    read(now) {
      try {
        const {at, codes} = JSON.parse(readPrivateFile(path) ?? '') as {at: number; codes: string[]}
        return at <= now && now - at < believed ? codes.map(String) : []
      } catch {
        return []
      }
    },
    write(codes, now) {
      try {
        writePrivateFile(path, JSON.stringify({at: now, codes}))
      } catch {}
    },
  }
}
