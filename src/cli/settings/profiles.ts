import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {readPrivateFile} from '../../core/private-file.js'
import type {Environment} from '../app/environment.js'
import {configFolder} from '../app/folders.js'
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
    let merged: Profile = {}
    await this.#change((file) => {
      const own = Object.hasOwn(file.profiles, name) ? file.profiles[name] : {}
      merged = Object.fromEntries(Object.entries({...own, ...changes}).filter(([, value]) => value !== ''))
      return {...file, profiles: {...file.profiles, [name]: merged}}
    })
    return merged
  }

  async use(name: string): Promise<void> {
    await this.#change((file) => ({...file, current: name}))
  }

  async remove(name: string): Promise<void> {
    await this.#change(({current, profiles}) => {
      const kept = Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== name))
      return {...(current !== undefined && current !== name && {current}), profiles: kept}
    })
  }

  #read(): ProfileFile {
    const text = readPrivateFile(this.path, 'settings')
    if (text === undefined) return {profiles: {}}
    try {
      const parsed = JSON.parse(text) as Partial<ProfileFile>
      return {...(typeof parsed.current === 'string' && {current: parsed.current}), profiles: parsed.profiles ?? {}}
    } catch {
      throw new CliFailure(`The profiles in ${this.path} cannot be read.`, {
        code: 'STATE_DAMAGED',
        exit: 'storage',
        hints: [`Mend or remove the file: ${this.path}`],
      })
    }
  }

  async #change(change: (file: ProfileFile) => ProfileFile): Promise<void> {
    const {changeStore} = await import('./store.js')
    await changeStore({folder: this.#folder, name: fileName, read: () => this.#read()}, change)
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
