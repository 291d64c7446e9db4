import {envelopeName, exitCodes, fateNames, stageNames} from '../contract/index.js'
import {closed, count, dialect, type JsonSchema, place} from './json-schema.js'

/**
 * The schema of the one object that `--json` prints, also on failure. A key that does not apply to a command is left
 * out of `meta` and of an error; the keys at the top are always there.
 */
export function toEnvelopeSchema(): JsonSchema {
  return {
    $schema: dialect,
    $id: 'urn:vendorctl:envelope:1',
    title: 'What vendorctl prints with --json',
    ...closed({
      schema: {const: envelopeName},
      ok: {type: 'boolean', description: 'Whether the exit code is 0.'},
      command: {type: 'string', description: 'The command in words, such as: sites create.'},
      runId: {type: ['string', 'null'], description: 'The run of a bulk write or an export.'},
      data: {description: 'What the command is for: the records of a read, a report, or null.'},
      meta: toMetaSchema(),
      warnings: {type: 'array', items: {type: 'string'}},
      errors: {type: 'array', items: toErrorSchema()},
    }),
  }
}

function toMetaSchema(): JsonSchema {
  const fates = Object.fromEntries(fateNames.map((name) => [name, count]))
  const properties = {
    profile: {type: 'string'},
    stage: {enum: stageNames},
    rows: {description: 'How many rows of the file met each fate.', ...closed(fates)},
    changes: {
      description: 'How many of the applied rows made a record or changed one; of a dry run, those that would.',
      ...closed({created: count, updated: count}),
    },
    pages: {...count, description: 'Pages read.'},
    requests: toRequestsSchema(),
    truncated: {type: 'boolean', description: 'Whether --limit cut the output.'},
    range: closed({asked: pair, served: pair}),
  }
  return closed(properties, [])
}

function toRequestsSchema(): JsonSchema {
  return closed({
    used: {...count, description: 'Requests this command sent.'},
    quotaLeft: {...count, description: 'Requests left of the day.'},
    quotaLeftIs: {enum: ['estimated', 'counted']},
  })
}

function toErrorSchema(): JsonSchema {
  const numbers = Object.values(exitCodes).map(({code}) => code)
  return closed(
    {
      code: {type: 'string', description: 'A refusal code of the service or a code of this program.'},
      message: {type: 'string'},
      exit: {enum: numbers, description: 'The exit code that this error alone would cause.'},
      file: {type: 'string'},
      sheet: {type: 'string', description: 'Sheet of a workbook; the lines are its rows.'},
      line: {...place, description: 'Line of the file, counted from 1; the header is line 1.'},
      row: {...place, description: 'Row of a spreadsheet, or record of a JSON array, where that is not the line.'},
      column: {...place, description: 'Column of the file, counted from 1.'},
      pointerName: {type: 'string'},
      pointers: {type: 'array', items: {type: ['string', 'number']}},
      changed: {enum: ['none', 'some', 'unknown']},
      retry: {enum: ['safe', 'after-fix', 'reconcile-first', 'no']},
      hint: {type: 'string'},
    },
    ['code', 'message', 'exit', 'changed', 'retry'],
  )
}

/** Start and end; null for an end that was left open. */
const pair = {type: 'array', minItems: 2, maxItems: 2, items: {type: ['string', 'null']}}
