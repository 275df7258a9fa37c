// Users who are signed in to the dashboard are signed in here too, because requests have the session cookie.
const api = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const { data, detail } = await answer.json()
  if (!answer.ok) throw new Error(detail)
  return data
}

const form = document.querySelector('form')
const say = text => {
  document.querySelector('[role=status]').textContent = text
}

const choose = ({ id, title, shortUrl }) => {
  const label = document.createElement('label')
  const box = document.createElement('input')
  Object.assign(box, { type: 'checkbox', name: 'link', value: id })
  box.dataset.label = title ?? shortUrl
  label.append(box, ` ${title ?? shortUrl}`)
  return label
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  const { name, title } = form.elements
  const chosen = [...form.querySelectorAll('[name=link]:checked')]
  const links = chosen.map(({ value: id, dataset }) => ({ id, label: dataset.label }))
  try {
    await api('PATCH', `/bio/${name.value}`, { title: title.value, links })
    say(`It is at ${location.origin}/bio/${name.value}.`)
  } catch (error) {
    say(error.message)
  }
})

try {
  const links = await api('GET', '/links?perPage=50')
  document.querySelector('fieldset').append(...links.map(choose))
} catch (error) {
  say(error.message)
}
