import {readFileSync} from 'node:fs'

/** The records of a text of NDJSON. */
export const recordsOf = <Kind = Record<string, unknown>>(text: string): Kind[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** The records of a file of NDJSON. */
export const recordsIn = <Kind = Record<string, unknown>>(path: string) => recordsOf<Kind>(readFileSync(path, 'utf8'))
