import type {Resource} from './fields.js'

/** Rules across the fields of a record, and across the records of one file. */
export type RecordRules = {
  /** Fields in order: none may be above one behind it; those that are null are passed over. */
  readonly ascending: readonly (readonly string[])[]
  /** Fields that together no two records share. */
  readonly unique: readonly (readonly string[])[]
}

export const recordRules: Readonly<Partial<Record<Resource, RecordRules>>> = {
  selection: {
    ascending: [
      ['alertLevel', 'restockAt', 'restockTo', 'depth'], // [dec]
      ['count', 'depth'], // [dec]
    ],
    unique: [['machineId', 'selectionNumber']], // [pub]
  },
}

export function recordRulesOf(resource: string): RecordRules {
  const rules: Readonly<Record<string, RecordRules | undefined>> = recordRules
  return rules[resource] ?? {ascending: [], unique: []}
}
