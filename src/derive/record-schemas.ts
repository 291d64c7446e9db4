import {allOperations, changedResource, fields, type Use} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'
import {inline} from './operation-schema.js'

const uses = ['read', 'create', 'update', 'delete'] as const satisfies Use[]

/** The schema of every record that an operation returns or takes, by name. */
export function toRecordSchemas(): JsonSchema {
  const all = Object.keys(fields).flatMap((resource) => uses.map((use) => ({resource, use})))
  const used = all.filter(({resource, use}) => isUsed(resource, use))
  return Object.fromEntries(used.map(({resource, use}) => [schemaNameOf(resource, use), inline(resource, use)]))
}

/** The name of the schema of a record: `Site` as it is read, `SiteCreate`, `SiteUpdate` and `SiteDelete` as it is sent. */
function schemaNameOf(resource: string, use: Use): string {
  return use === 'read' ? capitalize(resource) : capitalize(resource) + capitalize(use)
}

/** A reference to the schema of a record in a document that holds `toRecordSchemas` among its components. */
export function refer(resource: string, use: Use): JsonSchema {
  return {$ref: `#/components/schemas/${schemaNameOf(resource, use)}`}
}

function isUsed(resource: string, use: Use): boolean {
  return allOperations.some((row) => {
    if (row.kind === 'session') return false
    if (use !== 'read') return row.kind === 'write' && row.resource === resource && row.body === use
    if (row.kind === 'read') return row.resource === resource && !row.answer
    return changedResource(row) === resource && row.answer === 'records'
  })
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
