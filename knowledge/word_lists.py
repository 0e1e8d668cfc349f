"""Word lists of the search by words: words that say nothing, endings, English words of help questions in Hindi."""

from __future__ import annotations

_SMALL = """
a an the is are was were be been am do does did i me my we our us you your u ur it its they them their he she his her
this that these those there here to of in on at by for from with as and or but if then than so not no can could will
would shall should may might must have has had what when where who whom which why how til till until any some also
just only about into out again please pls plz hi hello n im ill ive dont doesnt cant wont t s d m r
है हैं था थी थे हो होता होती होते होना होगा होगी होंगे हुआ हुई हुए का की के को में से पर ने तो ही भी या और कि जो यह वह ये वे इस
उस इन उन इसे उसे अगर क्या कैसे कब कहाँ कौन कितना कितनी कितने मैं मुझे मेरा मेरी मेरे हम हमारा हमारी हमारे आप आपके आपकी आपका
आपको कर करना करने करें करूँ किया कीजिए सकता सकती सकते एक तक लिए नहीं न ना अब जाए जाती जाता जाते गया गई गए रहा रही रहे
दे देते देना दीजिए लिया कुछ कोई यहाँ वहाँ वाला वाली वाले
आहे आहेत असतो असते असतात नसतात नाही नाहीत आणि किंवा तर ते ती हे हा मी मला माझे माझा माझी माझ्या आम्ही आमचं आमचा आमची
आमच्या तुम्ही तुमच्या तुमची तुमचा तुमच्याशी काय कसा कशी कसे कधी कुठे कोण किती येते येतो येतात येईल करता करायचा करायची केला
केली केले केल्यावर असेल असतील गेला गेली गेले जाते जातात पण व ला हो होते होईल
"""
_SMALL_ROMAN = """
ka ki ke ko mein se par pe ne to hi bhi ya aur kya kaise kab kahan kaun kitna kitni kitne hai hain tha thi ho hota
hoti hote hona hoga hogi hua hui main mujhe mera meri mere hum hamara hamari aap aapka aapke aapki aapko kar karna
karne karu karun kiya sakta sakti sakte ek tak liye ye wo na nahi nahin ab jo jab agar gaya gayi gaye raha rahi rahe
de dena koi kuch hu hun wala wale wali kis bhaiya ji aata aati aate
"""
SMALL_WORDS = frozenset(_SMALL.split())
SMALL_ROMAN_WORDS = frozenset(_SMALL_ROMAN.split())

_MARATHI = "मध्ये साठी पर्यंत पेक्षा च्या मधले मधल्या मधून तून हून वर ला चा ची चे नी"
MARATHI_ENDINGS = tuple(_MARATHI.split())
_HINDI = "ियां ियों ाएं ाओं ओं ों ें ां े ी ा ो ि ु ू"
HINDI_ENDINGS = tuple(_HINDI.split())

# What customers write in English, in either script, and what a Hindi or Marathi article calls it.
_MEANINGS = """
address: पता पत्ता
allergy: एलर्जी
available: सुविधा
bill: बिल चालान
book: बुक
cancel: रद्द
cash: कैश नकद
change: बदल बदलना बदला
charge: दाम शुल्क
charged: कट
close: बंद
cod: कैश नकद
complaint: शिकायत तक्रार
contact: फ़ोन संपर्क
cost: दाम किंमत
daily: रोज़
deposit: जमा अनामत
dinner: रात रात्र
extra: अतिरिक्त जास्त
food: खाना जेवण
free: मुफ़्त मोफत
friday: शुक्रवार
full: पूरा पूर्ण
half: आधा अर्धा
home: घर
hour: घंटा तास
kitchen: रसोई स्वयंपाकघर
late: देर देरी उशीर
lunch: दोपहर दुपार
mahina: मासिक महीना
minute: मिनट मिनिट
min: मिनट मिनिट
missing: कम
monday: सोमवार
money: पैसा रकम रक्कम
month: महीना मासिक
monthly: मासिक महीना
morning: सुबह सकाळ
night: रात
number: नंबर फ़ोन
online: ऑनलाइन
paid: चुकाई भुगतान
paisa: पैसा रकम
paise: पैसा रकम
pause: रोकना रोका
pay: भुगतान चुकाना
payment: भुगतान
permanent: हमेशा
phone: फ़ोन फोन
price: दाम किंमत
rate: दाम
refund: वापस लौटाई रकम परत
return: वापस लौट परत
saturday: शनिवार
stop: बंद रोकना
sunday: रविवार
time: समय बजे वेळ
timing: समय बजे
today: आज
tomorrow: कल उद्या
week: हफ़्ता सप्ताह आठवडा
weekly: साप्ताहिक
wrong: ग़लत चुकीचा
लेट: देर देरी उशिरा
डिपॉज़िट: जमा अनामत
कैंसिल: रद्द
रिफ़ंड: वापस रकम परत
फ़्री: मुफ़्त
पेमेंट: भुगतान
"""
SAME_MEANING: dict[str, tuple[str, ...]] = {
    word: tuple(meanings.split()) for word, meanings in (line.split(":") for line in _MEANINGS.strip().splitlines())
}
