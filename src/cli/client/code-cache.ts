import {join} from 'node:path'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {privateName} from '../../core/private-name.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import type {OpenedClient} from './open-client.js'

/** The alert codes that the service listed for a key, kept to save the request that would list them again. */
export type CodeCache = {read(now: number): string[]; write(codes: readonly string[], now: number): void}

/** Services change: codes are listed again after so many milliseconds. */
const keptMilliseconds = 30 * 86_400_000

/** A cache that cannot be read or written costs a request, and stops no command. */
export function createCodeCache({source}: OpenedClient, environment: Environment): CodeCache {
  const facts = [source.baseUrl, source.stage, source.keyFingerprint]
  const path = join(stateFolder(environment), 'alert-codes', `${privateName(facts)}.json`)
  return {
    read(now) {
      try {
        const {at, codes} = JSON.parse(readPrivateFile(path) ?? '') as {at: number; codes: string[]}
        return at <= now && now - at < keptMilliseconds ? codes.map(String) : []
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
