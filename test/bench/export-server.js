// Hands out pre-serialised pages as fast as a socket takes them; its first line says where it listens.
import {createServer} from 'node:http'
import {batchesPerPage, createPages} from './export-pages.js'

const total = Number(process.argv[2] ?? 77)
const pages = createPages(total)
const json = {'content-type': 'application/json; charset=utf-8'}
const token = JSON.stringify({
  accessToken: 'bench',
  userName: 'bench',
  issued: '1/1/2026 1:00:00 AM',
  expires: '1/1/2096 1:00:00 AM',
})

const server = createServer((request, response) => {
  let asked = ''
  request.setEncoding('utf8').on('data', (text) => (asked += text))
  request.on('end', () => {
    if (request.url.endsWith('/authenticate')) return response.end(token)
    if (!request.url.endsWith('/transactions')) return response.writeHead(200, {...json, 'total-pages': 0}).end('[]')
    const {StartDate, EndDate} = asked === '' ? {} : (JSON.parse(asked).requestFilter ?? {})
    if (StartDate >= pages.range[1] || EndDate < pages.range[0])
      return response.writeHead(200, {...json, 'total-pages': 0}).end('[]')
    const page = Number(request.headers.page ?? 1)
    const size = Number(request.headers.size ?? batchesPerPage)
    const body = size === batchesPerPage ? pages.whole(page - 1) : pages.part((page - 1) * size, size)
    response.writeHead(200, {
      ...json,
      'content-length': body.length,
      page,
      size,
      'total-pages': Math.ceil((total * batchesPerPage) / size),
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))
