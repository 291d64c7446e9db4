import type {JsonValue} from '../../../values/json.js'

/** A place by its id, and by its name where that could be read. */
export type Place = {id: JsonValue; name: string | null}

/** A record that a row moves from one place to another. */
export type Move = {line: number; id: JsonValue; from: Place; to: Place}

/** What changes at one site: how many records, and the sum of a field before and after, exactly. */
export type SiteTotal = {site: Place; records: number; before: string; after: string; difference: string}
