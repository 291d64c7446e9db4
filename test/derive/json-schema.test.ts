import {expect, test} from 'vitest'
import type {Fields} from '../../src/contract/index.js'
import {toJsonSchema} from '../../src/derive/json-schema.js'
import {compile} from '../support/ajv.js'

test('a choice that may be null admits null and its words only', () => {
  const fields = {mood: {kind: 'choice', uses: ['read'], of: ['good'], nullable: true, about: 'Mood.'}} satisfies Fields

  const check = compile(toJsonSchema(fields, 'read'))

  expect([{mood: 'good'}, {mood: null}, {mood: 'bad'}].map((record) => check(record))).toEqual([true, true, false])
})
