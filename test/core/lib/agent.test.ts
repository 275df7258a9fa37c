import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAgent } from '../../../core/lib/agent.ts'

describe('a user agent', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      'Chrome',
      'Windows',
      'desktop',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
      'Firefox',
      'Linux',
      'desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
      'mobile',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
      'tablet',
    ],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/2.1 TV Safari/537.36',
      'Samsung Internet',
      'Tizen',
      'other',
    ],
    ['curl/8.5.0', 'curl', undefined, undefined],
    ['Wget/1.21.4', 'Wget', undefined, undefined],
    ['HTTPie/3.2.2', 'HTTPie', undefined, undefined],
    ['', undefined, undefined, undefined],
  ])('%s is a person with %s on %s, %s', (userAgent, browser, os, device) => {
    expect(readAgent(userAgent)).toEqual({ browser, os, device, bot: false })
  })

  it.each([
    [
      'Chrome',
      'Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) CHROME/142.0.0.0 Safari/537.36',
    ],
    ['Firefox', 'Linux', 'Mozilla/5.0 (X11; LINUX x86_64; rv:145.0) Gecko/20100101 FireFOX/145.0'],
    [
      'Vivaldi',
      'Linux',
      'Mozilla/5.0 (X11; linux x86_64) Chrome/142.0.0.0 Safari/537.36 vivaldi/7.6',
    ],
    [
      'Safari',
      'PlayStation',
      'Mozilla/5.0 (Playstation; Playstation 5/9.40) Version/17.4 Safari/605.1',
    ],
  ])('is %s on %s, however it is spelled', (browser, os, userAgent) => {
    expect(readAgent(userAgent)).toMatchObject({ browser, os })
  })

  it('is worked out once while it is seen again and again', () => {
    const first = readAgent('curl/8.0')
    for (let other = 0; other < 1_999; other += 1) readAgent(`Agent/${other}`)
    expect(readAgent('curl/8.0')).toBe(first)
  })

  it('is forgotten when many others came after it', () => {
    const first = readAgent('curl/7.0')
    for (let other = 0; other < 4_000; other += 1) readAgent(`Other/${other}`)
    expect(readAgent('curl/7.0')).not.toBe(first)
  })
})

/** Rows of a table: browser, system, type of device, user agent. */
const people = readFileSync(join(import.meta.dirname, 'user-agents.txt'), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

describe('programs of people', () => {
  it('are known by name, system and device, and none is taken for a robot', () => {
    expect(people.length).toBeGreaterThan(200)
    const read = people.map(row => {
      const userAgent = row.split(' | ').slice(3).join(' | ')
      const { browser = '-', os = '-', device = '-', bot } = readAgent(userAgent)
      return `${bot ? 'robot' : browser} | ${os} | ${device} | ${userAgent}`
    })
    expect(read).toEqual(people)
  })
})

/** What asks for a link though nobody follows it, or before somebody does. */
const robots: Readonly<Record<string, readonly string[]>> = {
  'a search engine': [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  ],
  'the preview of a message': [
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'facebookexternalhit/1.1',
    'facebookexternalhit/1.1;line-poker/1.0',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'meta-externalfetcher/1.1',
    'WhatsApp/2.23.20.0',
    'WhatsApp/2.24.3.78 i',
    'WhatsApp',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; ms-office; MSOffice 16) SkypeSpaces/1.0a$*+',
    'Viber/20.3.0.2 CFNetwork/1490.0.4 Darwin/23.2.0',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    'Synapse (bot; +https://github.com/matrix-org/synapse)',
    'Rocket.Chat/6.5.2',
  ],
  'the preview of a post': [
    'Twitterbot/1.0',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
    'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Mastodon/4.2.1 (http.rb/5.1.1; +https://mastodon.social/) Bot',
    'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
    'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  ],
  'the program of a company that trains or runs a model': [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; GoogleOther)',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; Google-NotebookLM)',
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 AgentNovaAct/1.0',
    'Mozilla/5.0 (compatible; cohere-ai)',
    'Mozilla/5.0 (compatible; Yahoo! Slurp)',
  ],
  'an office program that asks before the browser does': [
    'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
  ],
  'a program without a person': [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 slurp',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Puppeteer',
    'python-requests/2.31.0',
    'Go-http-client/2.0',
    'okhttp/4.9',
    'PycURL/7.43.0 libcurl/7.47',
    'Java/17.0.9',
  ],
}

describe.each(Object.entries(robots))('%s', (_, userAgents) => {
  it.each(userAgents)('is a robot: %s', userAgent => {
    expect(readAgent(userAgent).bot).toBe(true)
  })
})
