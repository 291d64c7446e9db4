import {expect, test} from 'vitest'
import {identityDigest} from '../../../src/reports/export/export-identity.js'
import type {ExportAsk, ExportLayout} from '../../../src/reports/export/export-types.js'
import {coverageScope, watermarkScope} from '../../../src/reports/run/export-scopes.js'
import {parseJson} from '../../../src/values/json.js'

const source = {baseUrl: 'https://service.example', stage: 'v2.1', keyFingerprint: 'a key', profile: 'default'}
const layout: ExportLayout = {format: 'csv', gzip: false, rows: 'records', columns: [], where: []}
const ask = (report: ExportAsk['report']): ExportAsk => ({
  ...{report, filters: {siteIds: [7]}, start: '', end: '', moving: {}, timeBasis: 'utc'},
})

test('transactions are kept by what earlier versions kept them by', () => {
  const {profile: _profile, ...seen} = source

  expect(coverageScope(source, 'reports.transactions', {siteIds: [7]})).toBe(
    identityDigest({...seen, filters: {siteIds: [7]}}),
  )
})

test('no two ids share them, however many digits they have', () => {
  const scopes = ['9007199254740992', '9007199254740993'].map((id) =>
    coverageScope(source, 'reports.transactions', {siteIds: [parseJson(id)]}),
  )

  expect(new Set(scopes).size).toBe(2)
})

test('no two reports share what their days and their marks are kept by', () => {
  const reports = ['reports.transactions', 'reports.inventory'] as const

  expect(new Set(reports.map((report) => coverageScope(source, report, {}))).size).toBe(2)
  expect(new Set(reports.map((report) => watermarkScope(source, layout, ask(report)))).size).toBe(2)
})
