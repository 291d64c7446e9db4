import type {Ending} from '../life.js'

export type Fate = {line: number; fate: string; code?: string | null}

/** What a command told as JSON, once it told it completely. */
export type Told = {
  command: string
  ok: boolean
  runId: string | null
  data: unknown
  meta: {rows?: Record<string, number>}
  errors: {code: string; message: string; exit: number}[]
}

/** Undefined of a life that was killed before its last byte. */
export const readTold = ({stdout}: Ending): Told | undefined =>
  stdout.endsWith('\n}\n') ? (JSON.parse(stdout) as Told) : undefined

/** The fates of rows by line, as a write tells them, or as `runs results` does. */
export function fatesOf(told: Told | undefined): Fate[] {
  const data = told?.data
  if (Array.isArray(data)) {
    const all = data as {_line: number; _fate?: string; _code: string | null}[]
    return all.flatMap(({_line, _fate, _code}) => (_fate ? [{line: _line, fate: _fate, code: _code}] : []))
  }
  const rows = ((data ?? {}) as {rows?: Fate[]}).rows
  return Array.isArray(rows) && rows.every((row) => 'fate' in row) ? rows : []
}

export const codesOf = (told: Told | undefined) => told?.errors.map(({code}) => code) ?? []
