import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {CliFailure} from '../errors.js'
import {ensurePrivateFolder} from './ensure-folder.js'
import type {Environment} from './environment.js'
import {configFolder} from './folders.js'
import {checkSetting, type SettingKey} from './setting-keys.js'

/** One profile as it is stored: text by setting key, never a secret. */
export type Profile = Partial<Record<SettingKey, string>>

type ProfileFile = {current?: string; profiles: Record<string, Profile>}

const fileName = 'profiles'
const nameRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The stored profiles of this user. Reading loads nothing but the file; only writing loads the store. */
export class Profiles {
  readonly path: string
  readonly #folder: string

  constructor(environment: Environment) {
    this.#folder = configFolder(environment)
    this.path = join(this.#folder, `${fileName}.json`)
  }

  get current(): string | undefined {
    return this.#read().current
  }

  names(): string[] {
    return Object.keys(this.#read().profiles).sort()
  }

  find(name: string): Profile | undefined {
    const {profiles} = this.#read()
    return Object.hasOwn(profiles, name) ? profiles[name] : undefined
  }

  async set(name: string, changes: Profile): Promise<Profile> {
    checkName(name)
    for (const [key, value] of Object.entries(changes)) checkSetting(key, value)
    const file = this.#read()
    const merged = Object.fromEntries(
      Object.entries({...file.profiles[name], ...changes}).filter(([, value]) => value !== ''),
    ) as Profile
    await this.#write({...file, profiles: {...file.profiles, [name]: merged}})
    return merged
  }

  async use(name: string): Promise<void> {
    await this.#write({...this.#read(), current: name})
  }

  async remove(name: string): Promise<void> {
    const {current, profiles} = this.#read()
    const kept = Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== name))
    await this.#write({...(current !== undefined && current !== name && {current}), profiles: kept})
  }

  #read(): ProfileFile {
    if (!existsSync(this.path)) return {profiles: {}}
    try {
      const parsed = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<ProfileFile>
      return {...(typeof parsed.current === 'string' && {current: parsed.current}), profiles: parsed.profiles ?? {}}
    } catch {
      throw new CliFailure(`The profiles in ${this.path} cannot be read.`, {
        code: 'STATE_DAMAGED',
        exit: 'storage',
        hints: [`Mend or remove the file: ${this.path}`],
      })
    }
  }

  async #write(file: ProfileFile): Promise<void> {
    ensurePrivateFolder(this.#folder)
    const {openStore} = await import('./store.js')
    openStore(this.#folder, fileName).store = {...file}
  }
}

/** The key under which credentials of one profile and stage are kept. */
export function toCredentialKey(profile: string, stage: string): string {
  return `${profile}/${stage}`
}

function checkName(name: string): void {
  if (nameRule.test(name)) return
  throw new CliFailure(`Not a profile name: "${name}".`, {
    code: 'PROFILE_NAME',
    exit: 'usage',
    hints: ['Use letters, digits, dots, dashes and underscores, at most 64.'],
  })
}
