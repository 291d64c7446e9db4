import {createHash, randomBytes, timingSafeEqual} from 'node:crypto'
import {limits} from '../../contract/index.js'
import type {Store} from '../store/record-store.js'
import {refuse, refuseAtGateway} from './refused.js'

/** The caller of a request. `organizations` are those the key and the user may both see; undefined means all. */
export type Caller = {user: string; userId: number; key: string; organizations: number[] | undefined}

type Access = 'granted' | 'none' | 'failing'

type Login = {accessToken: string; userName: string; issued: string; expires: string}

export type Sessions = ReturnType<typeof createSessions>

const tokenLife = limits.tokenLifeHours * 3_600_000

/** Keys, users and tokens, kept in the store so that they survive a restart with a database file. */
export function createSessions({database}: Store) {
  const find = (table: 'user' | 'api_key' | 'token', by: string, value: string) =>
    database.get(`SELECT * FROM ${table} WHERE ${by} = ?`, value)
  const findKey = (key: unknown) => {
    const known = database.all('SELECT name, key FROM api_key').find((row) => isSame(key, row['key']))
    return known && String(known['name'])
  }
  return {
    addKey: (name: string, key: string, organizations?: number[]) =>
      void database.run('INSERT OR REPLACE INTO api_key VALUES (?, ?, ?)', name, key, toList(organizations)),
    addUser: (name: string, password: string, access: Access, organizations?: number[]) =>
      void database.run(
        `INSERT INTO user (name, password, access, organizations) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE
         SET password = excluded.password, access = excluded.access, organizations = excluded.organizations`,
        name,
        password,
        access,
        toList(organizations),
      ),
    findKey,
    /** The name of the key that a request carries; a wrong or missing one is refused. */
    checkKey(key: unknown): string {
      const name = findKey(key)
      if (name === undefined) throw refuseAtGateway('FORBIDDEN')
      return name
    },
    login(key: string, username: string, password: string, now: number): Login {
      const user = find('user', 'name', username)
      if (!user || !isSame(password, user['password'])) throw refuse('INVALID_LOGIN')
      if (user['access'] === 'none') throw refuse('NO_API_ACCESS')
      const accessToken = `sandbox-token-${randomBytes(24).toString('hex')}`
      const expires = now + tokenLife
      database.run('INSERT INTO token VALUES (?, ?, ?, ?)', digest(accessToken), username, key, expires)
      return {accessToken, userName: username, issued: toUsForm(now), expires: toUsForm(expires)}
    },
    /** The caller of a token; a token of another key, and one that has expired, is refused. */
    checkToken(key: string, token: unknown, now: number): Caller {
      const row = typeof token === 'string' ? find('token', 'digest', digest(token)) : undefined
      if (!row || row['key_name'] !== key || Number(row['expires_at']) <= now) throw refuse('API_TOKEN')
      const user = find('user', 'name', String(row['user']))
      if (user?.['access'] === 'failing') throw refuse('ACCESS_ERROR')
      if (user?.['access'] !== 'granted') throw refuse('NO_API_ACCESS')
      const bounds = [fromList(user['organizations']), fromList(find('api_key', 'name', key)?.['organizations'])]
      return {user: String(user['name']), userId: Number(user['id']), key, organizations: intersect(bounds)}
    },
    /** The name of the user of a token, expired or not. */
    findUser(token: string): string | undefined {
      const row = find('token', 'digest', digest(token))
      return row && String(row['user'])
    },
    /** Ends a token immediately. */
    expire: (token: string) => void database.run('DELETE FROM token WHERE digest = ?', digest(token)),
  }
}

function toList(organizations: number[] | undefined): string | null {
  return organizations ? JSON.stringify(organizations) : null
}

function fromList(text: unknown): number[] | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as number[]) : undefined
}

function intersect(bounds: (number[] | undefined)[]): number[] | undefined {
  const [first, second] = bounds
  return first && second ? first.filter((id) => second.includes(id)) : (first ?? second)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Compares in constant time. */
export function isSame(given: unknown, secret: unknown): boolean {
  if (typeof given !== 'string' || typeof secret !== 'string') return false
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(secret)))
}

/** A time in US form, such as 9/3/2020 11:17:40 PM, UTC. [pub] */
function toUsForm(time: number): string {
  const at = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const hour = at.getUTCHours() % 12 || 12
  const clock = `${hour}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} ${at.getUTCHours() < 12 ? 'AM' : 'PM'}`
  return `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear()} ${clock}`
}
