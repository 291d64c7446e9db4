import {planName, stageNames, writeIds} from '../contract/index.js'
import {closed, count, dialect, type JsonSchema, place} from './json-schema.js'

/**
 * The schema of the one document that `--plan-out` writes and `--apply-plan` applies. A record is what is sent, so that
 * the schema of its operation describes it.
 */
export function toPlanSchema(): JsonSchema {
  return {
    $schema: dialect,
    $id: 'urn:vendorctl:plan:2',
    title: 'A plan that vendorctl writes with --plan-out and applies with --apply-plan',
    ...closedBut(['by', 'asOf'], {
      schema: {const: planName},
      operation: {enum: writeIds},
      command: {type: 'string', description: 'The command that applies it, in words.'},
      toolVersion: {type: 'string', description: 'Version of the program that made it.'},
      created: {type: 'string', description: 'When it was made, UTC, ISO 8601.'},
      by: {type: 'string', description: 'Who made it: user@host.'},
      asOf: {type: 'string', description: 'When its records were read, by the clock of the service, UTC.'},
      target: closed({profile: {type: 'string'}, stage: {enum: stageNames}, baseUrl: {type: 'string'}}),
      input: toInput(),
      options: closed({
        setSize: place,
        onError: {enum: ['stop', 'quarantine', 'bisect']},
        bisectBudget: {...place, type: ['integer', 'null']},
        atomic: {type: 'boolean'},
        canary: {...place, type: ['integer', 'null']},
        replace: {type: 'boolean'},
      }),
      counts: closed({rows: count, toSend: count, unchanged: count, sets: count, requests: count}),
      merges: {type: 'boolean', description: 'What the input does not say came from the current records.'},
      reads: {...count, description: 'Requests that reading the records takes.'},
      dates: {...closed({StartDate: text, EndDate: text}, []), description: 'Dates that the records were searched by.'},
      columns: {...open(place), description: 'Number of the column of each field of a table, from 1.'},
      records: {enum: ['whole', 'partly', 'none'], description: 'How many of the records were read before.'},
      rows: {type: 'array', items: toRow()},
      sets: {type: 'array', items: toSet()},
      preimages: {
        type: 'array',
        items: closed({key: text, record: {type: 'object'}}),
        description: 'Each record as it was, by what names it; of a create the ids that were there.',
      },
      digest: {...digest, description: 'SHA-256 of the bytes before this line; an edited plan is refused.'},
    }),
  }
}

function toInput(): JsonSchema {
  const fields = {
    name: text,
    sha256: digest,
    format: {enum: ['csv', 'tsv', 'json', 'ndjson', 'xlsx']},
    delimiter: text,
    sheet: text,
    headerRow: place,
    shifts: {type: 'array', items: toShift(), description: 'Where spreadsheets count rows otherwise than lines.'},
    encoding: text,
    flags: {type: 'object', description: 'The flags that say how it is read, as they were given.'},
  }
  return {
    ...closed(fields, ['name', 'sha256', 'format']),
    type: ['object', 'null'],
    description: 'The file that it was made of; null when the records were named or found.',
  }
}

function toShift(): JsonSchema {
  const about = 'From this line on, the row is less than the line by this number.'
  return {type: 'array', prefixItems: [place, count], minItems: 2, maxItems: 2, description: about}
}

function toRow(): JsonSchema {
  const fields = {
    line: {...place, description: 'Line of the input that the row starts on.'},
    skip: {enum: ['unchanged', 'appliedBefore', 'continued', 'changedSince'], description: 'Why it is in no set.'},
    by: {type: 'string', description: 'The run that applied the row, or took it over.'},
    changes: {
      ...open(closed({now: {}, new: {}})),
      description: 'What it changes, by field: what record makes of the record as it was.',
    },
    record: {type: 'object', description: 'Exactly what is sent.'},
    given: {type: 'object', description: 'What the input gives, where more is sent.'},
    content: {type: 'string', description: 'Tells rows of equal content.'},
  }
  return closed(fields, ['line', 'record'])
}

function toSet(): JsonSchema {
  const rows = {type: 'array', items: count, description: 'Places of its rows in rows, from 0.'}
  const sha256 = {...digest, description: 'SHA-256 of the exact body of its request.'}
  return closed({number: place, canary: {const: true}, sha256, rows}, ['number', 'sha256', 'rows'])
}

const text = {type: 'string'}
const digest = {type: 'string', pattern: '^[0-9a-f]{64}$'}

function open(values: JsonSchema): JsonSchema {
  return {type: 'object', additionalProperties: values}
}

/** An object that has no other properties; all but some are required. */
function closedBut(names: readonly string[], properties: JsonSchema): JsonSchema {
  const required = Object.keys(properties).filter((key) => !names.includes(key))
  return closed(properties, required)
}
