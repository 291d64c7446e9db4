import {createHash} from 'node:crypto'
import fc from 'fast-check'
import {type DefaultTreeAdapterTypes, parse} from 'parse5'
import {SaxesParser} from 'saxes'
import {describe, expect, test} from 'vitest'
import {charts} from '../../../../src/formats/write/html/charts.js'
import {type PageData, pageCharts} from '../../../../src/formats/write/html/page-data.js'
import {renderSummaryPage} from '../../../../src/formats/write/html/summary-page.js'
import {expectGolden} from '../../../support/golden.js'
import {emptyPage, samplePage} from '../../../support/page-data.js'

type Node = DefaultTreeAdapterTypes.Node

/** Every element and its attributes, in order: what a template makes, and no text may change. */
function elementsOf(node: Node): string[] {
  const own = 'tagName' in node ? [`${node.tagName} ${node.attrs.map(({name}) => name).join(' ')}`] : []
  return [...own, ...('childNodes' in node ? node.childNodes.flatMap(elementsOf) : [])]
}

/** A page on which every text that comes from outside is this one. */
function pageOf(text: string): PageData {
  const {sites, alerts, ...page} = samplePage()
  const top = {...sites, groups: sites.groups.map((group) => ({...group, id: text, name: text}))}
  const codes = alerts?.codes.map((alert) => ({...alert, code: text, message: text, oldest: text})) ?? []
  const tops = {sites: top, machines: top, products: top, failed: top}
  const texts = {
    title: text,
    filters: [text],
    source: text,
    notes: [text],
    command: text,
    tool: text,
    generatedAt: text,
  }
  return {...page, ...tops, ...texts, alerts: {raisedFrom: text, codes, command: text}}
}

const nasty = [
  '<script>alert(1)</script>',
  ']]>',
  '"><img src=x onerror=1>',
  "'",
  '&#0;',
  '</style>',
  '</title>',
  '<!--',
]
const text = fc.oneof(
  fc.string({unit: 'binary', minLength: 1, maxLength: 40}),
  fc
    .array(fc.constantFrom(...nasty, '\u0000', '\ud800', '\u202e', '\u001b', 'x'), {minLength: 1})
    .map((all) => all.join('')),
)

describe('the page about transactions', () => {
  test('is this text', () => {
    expectGolden('pages/summary.html', renderSummaryPage(samplePage()))
    expectGolden('pages/summary-empty.html', renderSummaryPage(emptyPage()))
  })

  test('has no element that the template did not make', () => {
    const usual = elementsOf(parse(renderSummaryPage(pageOf('Lobby'))))

    fc.assert(
      fc.property(text, (name) => {
        expect(elementsOf(parse(renderSummaryPage(pageOf(name))))).toEqual(usual)
      }),
      {numRuns: 12},
    )
  })

  test('permits its one style, and holds nothing else that acts or loads', () => {
    const page = renderSummaryPage(samplePage())
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')

    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}';`)
    expect(page.match(/<style/g)).toHaveLength(1)
    expect(page).not.toMatch(/<script|<link|<img| style=| on\w+=|url\(|@import| src=/)
    expect([...page.matchAll(/href="([^"]*)"/g)].every(([, to]) => to?.startsWith('#'))).toBe(true)
  })

  test('cuts a name of any length', () => {
    const page = renderSummaryPage(pageOf('ab '.repeat(11_000)))

    expect(page.length).toBeLessThan(150_000)
  })
})

test('a command of thousands of ids keeps what the list is made by', () => {
  const page = renderSummaryPage(samplePage({command: `vendorctl reports summary --site ${'1001,'.repeat(9_000)}`}))

  expect(page).toContain('… and 23 more. All of them: <code>vendorctl reports summary --site 1001,')
  expect(page).toContain('--by machine -o csv</code>')
  expect(page.length).toBeLessThan(120_000)
})

test('a page of one day names that day alone', () => {
  const {days, ...page} = samplePage({range: {from: '2024-07-01', to: '2024-07-01'}})
  const text = renderSummaryPage({...page, days: days.slice(0, 1)})

  expect(text).toContain('<dd>2024-07-01, local time')
  expect(text).toContain('<caption>By day, 2024-07-01</caption>')
  expect(text).toContain('>1 Jul</text>')
  expect(text).not.toContain('>2 Jul</text>')
})

test('days that are not over are not called proven', () => {
  const coverage = {provenDays: 0, holes: [], otherDays: 1, command: ''}

  expect(renderSummaryPage(samplePage({coverage}))).toContain(
    'same key and filters: 0 days. Not over on every machine, or only partly in the range: 1 day.',
  )
})

describe('a chart by itself', () => {
  const read = (svg: string) => {
    const names: string[] = []
    const parser = new SaxesParser()
    parser.on('opentag', ({name}) => names.push(name))
    parser.on('error', (error) => {
      throw error
    })
    parser.write(svg).close()
    return names
  }

  test.each(pageCharts)('%s is XML that says what it is, whatever stands in it', (chart) => {
    const usual = read(charts[chart](pageOf('Lobby')))

    expect(usual.slice(0, 3)).toEqual(['svg', 'title', 'style'])
    fc.assert(
      fc.property(text, (name) => {
        expect(read(charts[chart](pageOf(name)))).toEqual(usual)
      }),
      {numRuns: 10},
    )
  })

  test.each(pageCharts)('%s is drawn for any amount, and for none', (chart) => {
    const amounts = ['-12.50', '0', `9${'0'.repeat(400)}`, '0.001']
    const drawn = amounts.map((totalPrice) => {
      const page = samplePage()
      const top = {count: 1, groups: page.sites.groups.map((group) => ({...group, totalPrice}))}
      const days = page.days.map((day) => ({...day, totalPrice}))
      return charts[chart]({...page, days, sites: top, machines: top, products: top})
    })

    expect([...drawn, charts[chart](emptyPage())].join('\n')).not.toMatch(/NaN|Infinity|undefined/)
  })
})
