module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128xf64>, %arg1: tensor<128xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<"0x160B8167CD530040AA330882007204C0AFAE4BAA21C2DA3FAC6E3F2A2B2BE2BFAB008BBC34F8DCBFAE5B4A16B098CBBF157DD87CEE2800C0A7C26ECCF5AFCDBF88845555D3AFEBBF9CE844C580950A409621D86393E6CC3F2C9E50C08091D6BFFA1F6FF19C00D2BFF20118BBA260E5BF96845C8BE5E1F0BF83EE1D1AE202D9BFE70E867831D8DE3FB1A849B1EC88CEBF767D5594F5A5EE3F8B8D01BD1D93C9BF46537ADA7FD7983F4BF116A5AEBBF83F57FF19238171E13FBDC50E74D52AE0BFD46C2A7C4467C7BFE6B1715CFB4BE13F3B5ED5DE1EF6FE3F234D119E7541D1BF8C9EA648EE2CCFBF8F0A9DFC7909F03FF6D6223EE15DECBF78497A568BABD2BF867A555CC23DEC3F45BC78323A92E23F19ACA27FA36DB73FEDA71CB07E71E53F1A643D8F13A006C0D38345D14557F03F78EB64ED68B5EEBFF89F5AB8AAB2FABF3FAD108E49B1D13F18957E1BDD6AE63F58E41EEB1177DCBF4F4D8754F538F1BF848791E677C09A3F79DCB5F7B101ABBF36D8A580547DF63F8EC6DF27C4EAE73F546F147BF3CEC83FF15A59E63FC9F13FF7B3F54C944ECABF17678624F8A0EDBF18EF190E9BB0E23F9845199C27A4E23FA937C385837FCBBFA4452C93C40CE9BF79215248EA54CD3FC944EDD77EF303C00B48C08A8015E63FFC4B8CDC9372DF3FB735BD44C238FABFB4E07F2CBA69AF3FBED09F89E7D9EEBFE088E2A0273BE83F9C43D07DF94500C01FD6A10C8A43EDBFC1F12717E1B4E63F3938C1629E80F23F76DF2153984301C0F6F35383E2DFDFBF45AE79FC47FED43F741596D7B27EE3BFA6C1D32B4373F93F4EBC7AB5430FF3BF0322ACC2A6B0D63F788371DD44C6F0BF936FC2FFD27EF63F7BE9D862BD2B96BF7B369307F4D2D7BFBE4B7980AF7DFBBF64381AE7C1E8FA3F32749821C316E83F87A1B1E8311DE83FE7879CFAC234F23F71ACFB6EBA59D63F7E25D04EB574E4BF962A607D939BE9BF49B1B3FC3C9BE9BF47EBB2F9D0EBF53F6A3DADADB85DF7BF8262AC837515E3BF70E0D7A7428FD4BF4385F7F350C0CC3FB644ED1E4369E23F5F8C39254DFCF3BF6CB0AD9522AEFBBF76FBF88BA81472BFE765D3E6C16AF33FF341BBD2D139E83F8A8EACE3719ACB3F8AF7B22F474CD4BFF404634357C4D23F30B29DA59A25CFBF8055296A8E26EA3F773A5DD31C6CE9BF75BB464BC62EC13F3C4EA545165CBCBF7D35003B3363E13F42763F84F4C0CC3FB0E0348F78660440AEFC62697DFAF73F81C189ABA2F2F73FAC485463E75000C0AD6F5861BFC7D5BFBE056BF8BC79E3BFD7AD2C2B0E0CE13FC2AE693D723B02C075A27820BFCAF23F53C59A175D12F13F6FD8934048D5F4BFDB4AFF004550EFBFD1D2187C33A3E9BF3DB28857E12AA63F28C110C0D582E43FB38D8D1512620040D25C0E50E445C9BFA6CBC286618FE83F44EAB515BBE4C33FB11B8C76A828FC3F93EFCBD7C1BFE73F3EE9562895E5F53FFF49FD56283EF1BF815B7BF8579BC8BF4F5846766C0AEABF08A7A6BA4314F83F3524EED6620BE53F365A517C7C87D3BF3E495DDE3BF5DCBF0FBA5AD6BF04DF3FE3290DC1A672E6BF8048AB5262C7EDBF96222D8733CDDE3FCAF91C917EB40340270C94E64D81CFBF8C29AF08A7C9E1BF9506CAF20EBDF2BF9D4E2873345CF5BF4CDAECA3A9CCE03F52E32348C739EB3F962D1F3132CA823FCA25B3CCEC48D53F0A0F7575B5ACBD3F8A349A2671BFC13F1D6735C1256BF8BFDE911C4ECF51DDBF9890476CE889BC3F59B5BAC7B30FE9BF7B0D2E2ED37DDEBF2D0A40863B36EABFE073406F0258D5BFF28C45B9A94CEB3FB6C450976905DABF6E42A1D108B2C3BFAF20BE15FB09EA3FD6A4E724F5A1E43F2C9E1AF6911FFB3FD2B49A3D50B900C0D1600073636BEB3F54950413BEDDDEBF74476EDE943DC13F23BC2BE298CEEA3FDEBACF420155F13F3D397F302EA1F03F0E33C93A89DAC33FFF7B52A82DC1F93F7D44E0EE3F1CD2BFB6B7FB00B20BC2BFC333CAF14894E93FEB2B86BFD7A4E1BFA2BF763889490140BF10218BAB4EF03F2A1DE5089467014093910B25323A9BBF1A0AB6D68584D8BF7FA41535D461C53F1551E394A681E73F1D71FC2535CCE2BF42C45E8E084DD83FC3649711243591BF63B6261ED5D9F93FF6A05A6EDA34E5BF7D673E2014BDF03F936687B3879AE4BF711A5AEB83BDEEBF3B445EDDC5BAE6BF69628C54000BF3BF5D221FCD9BBBC23F6BE00C520B80F03F4FCEC61A4508C53F72FA5CA878FAE33FC1EC75B0621DFA3F1D0CEC011D48D13FD891DF8A14FBC83F4ADD516A9B9AD1BF2FAF22435CBBF9BF71E23B05C84FE83F6D563445761AFCBF7F6DA4B1B9E2E43FBA1C29EDFA538DBF25868FFC4B07F23F62A9884C6459B1BFD4AF8FDBA757EABF33B8A67600E8D63F17EC1C5574EDE1BF238BF4DD9729C7BFC0CC75781670A53FE022D1C9EC38C1BFF4223646AC2AC8BF022F0DAC63A3EABFFAA89F2C8935C8BF3959FA51521B01C03D40CD457523C4BF9CACE5C03C2BF3BFD8FC8E9E99ECF13F8FF780B59E51F43FE0DD0FCF6637FFBFECA2A125A28CC23F67DD8C68B12CC0BFC28C76E358BFF0BF45C78F734D03E13FFA9FCC4D528CDDBF389C46FD1548FCBFAE40CCF23A11D1BFA780504BF5F9C2BF678AA02E103FBB3F0603755F21B3F3BF2FC6BC7CA8B3E33FBC9EAD4DDD88E73F244E8FFB4E55F2BF343F32465815E5BFD4AA8B77FC90B4BF07E16F6E0F1CE2BFB5DBD83B6BE6FB3F44242600F0ABCA3FD80FC111582BF0BFB4B0BA363038E9BFE7E866DFBD6CADBF8B90A247C15D0240410823845DD1C6BF21B5D2B52551C03F9A2DFB4A0F73E03FDC39F1FF628BA4BFD486A720CB3E0240F4650F9B4002E1BFF0A0821283D0E73FD119E93A3B89C43F"> : tensor<256xf64>
    %cst_0 = stablehlo.constant dense<"0x5B776B37D7E0E33F13B4179187D3F2BF7D0B9289304AFC3F65DBD43C6D1CBFBF45FC9BDAD87DA13F5567685653EBEDBF80931CE4A959E7BFA73F12DB3F0EE23F8A4C8B356891EF3F7811CB94A91AE83F62FD4330F157F33F9AAFE6D917DDE63F9BB9CE4D19259D3F1C62DD26D2C4EA3FB9420B39CCFEE23FF2FE94F84CBFB9BF0FBB94DAFC3BE73F4DE0606E3792F43F553B70E26E06CE3F7891087710CCD6BF753A44FEAEFFE63F85986C325B69FE3FBFAF9470B2F3CABF672118789AA1B7BF7602AC6D7975C1BFB9FAA7B37A91F33FF95CDBFF2965FDBFBD36B0B3026AD73F254DE6538313F33FB472C4243C07EABF8DA688F9D9D2F73F454A945B4021E13F71129EC5B391E1BFAEF204EC4021CA3FA0ED4C9C478DF8BF0268FF6D2819E2BF51FD547FFF3AFD3FE0E886F20A9AECBFE9F3FAA55D83FD3F529E7EB501E2B4BFEF29A74147D4EF3FDCAF57A9AB79A63F189C23E08DEE01C0101496D72853E2BFFF292C661F4DC83F3C0DF53D4A6AF2BF6DF69A8EFE8EF5BF09DC7FCA966FD73F2F6F32F701C8E4BF6E745CB91B22FBBF0BC92A8145E4E5BFFC960086298BEB3F88346709DB51DEBF97ACF22AA8E9ED3F35717A90B56FF83F933B7DCBDBA5A03FE15070D72E13F2BF9135F6EB35D3F4BFACE282544AE29ABFA893D6AC9B31EC3FE5A04E118C37D13F3B7FCB822183E13F04157C34B65FDCBF10ED6061203AD33FEBC5F03DEC29DEBF9F42BFEBCAD6D4BFEE7054A30AADF4BF64D1D6D0C827F9BFE65762E160D8DEBF4A350A16BAB8F1BF100723810BAEEEBFDF0070873879E53F9FEFC0BFA769BBBFD1DECB3B215007407C3FDB2298A4ED3F6BB56DAC1243E4BF4E0E4BA76FE5E83FB86C72F9DFD5D63FDD69807219F1E5BFFCD2C59E3AA4F13F48C4CDF07DCFE8BFB3BD0C97907708C0C32D6D7FFA68E93F41E0F33196C0E3BF85AEE43FCFC6F73F08041F5E1DCAE4BFF9F0EEB5D3E6F2BF2D4965BD7FC6F83FEBBE55BB3D35F1BF36AC9BF2CD08CA3FA819E1241532F73F4FBC6DA9B24FBD3F1B40D78736A1B4BFC39848216C38BA3F85907E0B87D9EA3F11E0FABB67D1E9BF7F4E32FE5E8AE33F3A9462DD6677E23F120820EC64A9024047F85360A289D5BF1D71D5444946EDBF81F7FC82BF8AE73FDE15AE3D066BD9BFE822D717E180D23F910F3E7A44F8C03F3ECCCBDDBDB1F23F17F4B20BD004E5BF963D8996A19FB7BF9F9E6009BA6A04C073874723D07BECBF3A237201D894F83FF8B2ED7DE5CEE5BF0002F8827F72E6BF8806C33D8C7CF3BF0C9DE9A3008EE23F5F8058B561C8C63F261AAD1A68FDF2BFCE540DE3C05BE53FA21CDB2193A5D03F411D189C0A21E83F5BF7B7080087E4BF672B6A45E2CEFB3F3A66CB56453BDA3F4A73A8AC78ECBDBF4582F1594A9AE0BF3B8448D98056CFBFC9673559397BEB3F48A79112C036D1BF78585FCA1340F13FCEFD5632E694E23F85E0FB853E8BF53F94368F4F240DEA3FB0F08BAAC91CB0BF8624080AA88CFEBFE916B2C7C71BD33F25056A611C40E93F150BAA7EA7D9C43F32BD3CE349CEE13F05081910062FDEBF5F91D8A4BE59D8BF0EF774110D28EEBF7383A81358CAF53F0DD400634346C43F6681B75AE484DFBFBB591A93444FF5BF2176D4A4929FC3BFCDB2DA710415F73F77512BCF1F90DD3F8977ACDD472FE7BFB51C801B36DFF63F169261752DDBF63FF9A782B58462EF3F22D677DFFC3DE93F93078FB88C7DF23FABF1A9CB6062E13F9276B483CECCE83F4D6C67B1F7F5E8BF305FB35430FEF73F7356D3FD4F97CD3F622AD4F595310040B237081B865600C065FB5D9EB592E63FB0EC50082268EF3FAE2D319F9BF2D5BF5987F7F7D8F4DC3FBD52F2334AF2E73F3BE413CBE879E23F1CBDFB7CE344E1BFEBB7DCD0042BC2BF2B80F253FC4DF03FE5EA432FE76FF43FB0985BE28B56B93F50E5348A66B8B33FEFD52751DDA9C93F547CC7D5469AF03F7BB4C87057DDF0BFD6A93089DA43F5BFD00D2F0A1BD3BF3F3C886A8257B4F1BF35771BCF99C9E2BF47DDC63D7A17B63F81CB125C5CE1DE3F5624BBC44927F1BF6D7D4377C0A6E93FE13D6C952261FCBFDD4BCB5B0C74E13FFB7311A6633EF9BF7CE225121666F4BFAAE10901158DE43F4C4F1AB3D601DABF6FC6DCAC3675E9BF8DE5CAF03877DCBFC82ADE1118C3DD3F75C1AA8B05ACABBF10B0A2AE84169EBF0790FE375DE0F03FE25B98F6ABECE6BF4C36D7502934DEBF81593213BFB7E0BF65803BB9E7B3F23F6F78D05B98B9EF3F125CC795DD97F43F2CBAC272C247A1BF85C409241B12C4BFD8351B98EA49EB3FB4D8847C0A3ED9BFEE6F639DD194EA3F608618FE672DE73F592D9B049F58E6BF6F8696EF3E4CB5BF897F26A93B87BEBFA2C8571FC3BBFB3F3C9109B9DCB30440A9E3CC0AD594B9BF9341893FF1CD8C3FB40AC359AF4002C0F89A7A8A7D13CB3F2A9E0F229BCE7CBF7ECD76405E2AF1BF857A34849623E93F1B3C4BDE530DF9BF7433B6304D80CBBFC5CE49F20EC6C13F328B315DE7FBF3BF29B89D8F6B6AEB3F06187DB794E3F03F52F5EDA1C72EF6BF63902FC48186F6BF3E504AAEB545E33F41D6C2409B3A9FBFCDDE3542E861F3BF9D51A5AAFEE4D2BF8AC013933686BBBF09AB458B194FC2BF9E288C79C97AEA3FCA189941B496D83F0B7FB547B94FFC3FC5BE616D61FDF53F1B27E6A00EB6E53FE7AC1395B73BF13FDECAFC885D2EF53FBA2ADE7B8297E63F314698EFA39CF3BFD307496B5880EB3F2AC88FCD7480B23F6160EA5DA6E6F93F6D367E9EECEDB73F06EBB91EEED4E03FC76105FAD118D53FB0BC00B74CE6FA3FC5A9FB02E9ADC63F6A3652492440D1BF2E8AD9F828C8D33FB0D4E448E720DCBFD602B3A3B3BDC43F9A5118F0FD9A7EBF"> : tensor<256xf64>
    %cst_1 = stablehlo.constant dense<[-0.40569057060087549, 0.036973207474528515, -0.19949174751407084, 0.67261154015877134, -1.1815746332294921]> : tensor<5xf64>
    %cst_2 = stablehlo.constant dense<"0x3FF8742AFB37A4BFA478780E0B7AE13F31B0D3BA2BB2A7BF4888CB5A5802E0BF3C30CFD20CBDEBBFD87F8A0F4760E03FE6FCE3D43E13F73FA7EFD9F7FDA9D43FCA554DFACE14C83FC8FF59536A68DC3F1A580B73362AEEBF5B3180387BF2D3BFD7C232DCB425D1BF41AA203638E5D23FE17383DBAB65A0BF8254A0E65F76F3BF7AE7802EF000F23F275189E01A14FB3F067C3CB538D8D0BFCFC6ECEF9B86D93F6C3058E42C19D13F1EA34DDFF61BE93FE735AE0A31ADF7BF38B0BB48E3CEF93F02C574E74AF1DDBFD6DBFE30453AF43FDC448B37DDA6B43FD4A02DC17AEED8BFC70324A25AFAC1BFCA71A509A4B5EC3FDDB6C042F59FEBBF65B4C339EA02D8BF135518710ADCDEBF6BB845047A72FBBFB4C85CC88ACEF43FD34479DF4186E23FE44230E19AD395BF35932EC95C9EF23FF40AB0C6129BEEBF058F10669BCDB2BF290D3A01409BFB3F3AB4F0606D59EF3F2FFE6CF1B8CD01C02C5DEB3D1AA80AC0735C8114419BF0BFDEC3E93404FBF03F4FFAE8428D3CDEBFE6FC8D9A09DFCBBF6133E1ABF576E33F53333DC89353ECBF75488F37953FCB3F5068E260DE58E93F960CEC6A8BE3DD3F5997B1A42B57D93FA9F4CC36F643E3BFB9B8A7500A75E03F2B187E864A5EDBBFFCD5BA0D10E1F43F44F722C88C8F0440D14CD2194FADE7BFF22DBD57616501C039914942683ADBBF3E1DE9F03A1ED83F341C9C8156CDF03FADD565C5A543F13F6845FF2C2116E9BF609EF4142F62E9BF1FD60054DD46F43F93EC07876B7AF1BFE4A6E86D9671F13F1F1999E1A90ACDBFF9A880D16086E83F838CE6BDE698E63F8277D04D56DAE83F58C7267DEF40EA3F4A03D84517A9EFBFD4BAD6F9950AD33F33FB8F7ACFA28C3FE2623707F5BCD33F3FBA11AB62BBF33FBF835461D659D1BF280C1C3276C8E6BF2ABABDD3B84CE7BF6BB1E4C372E4D3BFA096C4B86215E83FBB6E1B38F812EABF1370B101528CF23FA36462BEC196D23FEA53B8E033F1CCBFEA737441714EF5BF5EC98878F859CF3F7D6092458420E63FD62926A09340FCBF80370D334412F33FB8C550F92B5DFA3F2D56B68905AAD53F93D6D1965679DF3FCBEA86523F4F03405A546300D3B5F33FE159254E6DBAECBFBF598E886F0B91BFAE3892355116C4BF321A7A4CEE4FC3BFD627E23E05EA02C0972E24376239E83F3FF9DE6B2460E4BF7FE8EFFB87F2C43F650F8996036DC1BF88A77F6903E0EB3FEF5CA79287EED2BF07446D8C2574E9BF524F70DE9A09E13FDB1D7069697AF63F7CAD833AC777D4BFDEBB8B9F4EEBF53FF8D7B5D59BC7D03F79B59CB41E0CE1BFEF709CDD0B67F83F29185BDB2F32EABF223FBC9A8A39F03F54A7AB6447E2DFBFAE49C5DD61D0DC3F094A194B12BFF3BFDD0A750A8FCDEABFCE8D0048740AF13F4B5B66873614C83FBAB2C66A249BA33F40240378D125DCBF6340FDAC2393DC3F44CFAF07375BF6BF0D50003841EBF1BF40885B857932C4BF0AB912226EB2EABFC5EB549F436BE6BF1023E09A094EB2BFBC2E9B8B4C9AC1BF5C7E307D197BCCBFA7A02B0CF8A4FA3F054F7FD15D2DF03F97803D1AFEACF33FD9C869EB7FD69CBF7E2BE0A95F26E0BF0B5BADC82B43F7BFE1DAF91BE247D6BF74C42C7209B000C0B902464502AEE2BF04904036A574E83F348A8AB2C9F1F93F4463FE7940E6EE3FCD393A173B92EBBF2DC235D70F87DF3F29A6D9E9D440E9BFF8973C21CD55EA3F39F4D29F2A82BCBF878720166076EB3FE91C16464A950440A17C12B05185ED3F0EAB5784DBA80240C32997016EB6C63FDB3ACF5A181AD5BF8E04E369DA56F53FA74038E6F696FB3F8B978DF7ADC2E1BFB433100A279EB33FD3D1343CD5F3F6BF3CA708731A9BC9BFDBCCACB5376DEC3FFD668413511DB6BF5D3221310D37E2BF2BBDD9FC0D84F6BF711E70527B91D73F668A75FF7385E93FF40892998816E33FB32F49A81757D03FAB0506599262F4BF4B72DF415E30FC3FE45AEC9955F2ACBFC685AFA8B088C2BF2FA916932674E73F2CE6BA95344E01C01BB201C4EC80B0BF359B9D5B5282C1BF1F8C23A17CD3D73FBDD10A7CF78DF53F8056C4E38638DE3F5CBDA9694650FDBF75EF3FFB6EB3D5BF6DD2CCD8DC4ECA3FC1A5A44760D6C23F366A4B870D80F4BF66DE5446C19EFABFE8426C437F91E13FA42A6A9D7AFCD53F057DFB75F2CF95BF5CD0F514549BFBBF55EC43A38262FC3FC433F2BFAD3307C06EDED1B05E4DD7BFD95EDE99ADBA004042429DE68726C4BF6DD646107AB4CD3F801B2DA8C8DDF2BFEC32F452FDBCF53F43277B5C95AEF4BFACB8235B6748D03FA5DC8F959644C13F25772D8DC4CFF0BF613A44A02262EC3F9FDA6B96C3A7F6BFC0AF88F41ADFE5BFE279643B1C649DBF554348BD5C66DABF863B14688BF0DD3FAF113A75DB91ED3F630A797930CDD2BF310BFD6FB053E1BF47D26DED158BE0BF49865A25E465D7BF37877ECCA4E8E93FABD19C53D3D9CBBFE4556920C416DA3F71AD00D0C955B7BFF93DE0D4DB05EBBF52C36E9497A3EB3F96D47426D19BF0BF430DA162DC62793FEDC39E86D9CAF73F9E664CCF5D7DF1BF4A7FFF77AB41ACBF7C4AD06C435BF9BF72671E5A234DE0BF44C6DE54E1E9F7BFFFADEF8C3E24D7BFC05FD898BB39E1BF920CA62272E4C03FC87F7FE84B59F93FD34F09176B1CD23F6DF5B3DEC30FE53F454DF0C79AF5A9BFBB75C3C18C4CCFBF0747A5A6FAAFEABF83EAEA3D4FD0FCBF282F1DBE1A91B13F5821BED2E310FA3FC1843175B27BDE3F2D9238037016E1BF458D4BB2F763FA3FA3021A7C1AB0DBBFA8E598F088CDE3BF036949313267F3BF5592E80A1FC9EEBF7739E189D188CFBF7F0C8518FDFBFF3F4041976EFB63CABF59DEBC3C1781F0BFC077B9E3965FE3BF"> : tensor<256xf64>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<128xf64>, tensor<128xf64>) -> tensor<256xf64>
    %values, %indices = chlo.top_k(%0, k = 5) : tensor<256xf64> -> (tensor<5xf64>, tensor<5xi32>)
    %1 = call @sort(%0) : (tensor<256xf64>) -> tensor<256xf64>
    %2 = stablehlo.negate %0 : tensor<256xf64>
    %3 = call @sort(%2) : (tensor<256xf64>) -> tensor<256xf64>
    %4 = stablehlo.negate %3 : tensor<256xf64>
    %5 = call @argsort(%0) : (tensor<256xf64>) -> tensor<256xi64>
    %6 = call @median(%0) : (tensor<256xf64>) -> tensor<f64>
    %c = stablehlo.constant dense<90> : tensor<i64>
    %7 = call @percentile(%0, %c) : (tensor<256xf64>, tensor<i64>) -> tensor<f64>
    %8 = call @argmax(%0) : (tensor<256xf64>) -> tensor<i64>
    %9 = call @argmin(%0) : (tensor<256xf64>) -> tensor<i64>
    %cst_3 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %10 = stablehlo.reduce(%0 init: %cst_3) applies stablehlo.maximum across dimensions = [0] : (tensor<256xf64>, tensor<f64>) -> tensor<f64>
    %11 = call @cumsum(%0) : (tensor<256xf64>) -> tensor<256xf64>
    %12 = stablehlo.multiply %1, %cst : tensor<256xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<256xf64>, tensor<f64>) -> tensor<f64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.add %cst_5, %13 : tensor<f64>
    %15 = stablehlo.multiply %4, %cst_0 : tensor<256xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %16 = stablehlo.reduce(%15 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<256xf64>, tensor<f64>) -> tensor<f64>
    %17 = stablehlo.add %14, %16 : tensor<f64>
    %cst_7 = stablehlo.constant dense<0.27162256550004238> : tensor<f64>
    %18 = stablehlo.multiply %6, %cst_7 : tensor<f64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %19 = stablehlo.reduce(%18 init: %cst_8) applies stablehlo.add across dimensions = [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %20 = stablehlo.add %17, %19 : tensor<f64>
    %cst_9 = stablehlo.constant dense<1.9232840368305892> : tensor<f64>
    %21 = stablehlo.multiply %7, %cst_9 : tensor<f64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %22 = stablehlo.reduce(%21 init: %cst_10) applies stablehlo.add across dimensions = [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %23 = stablehlo.add %20, %22 : tensor<f64>
    %24 = stablehlo.multiply %values, %cst_1 : tensor<5xf64>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %25 = stablehlo.reduce(%24 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
    %26 = stablehlo.add %23, %25 : tensor<f64>
    %cst_12 = stablehlo.constant dense<-0.69272948495955822> : tensor<f64>
    %27 = stablehlo.multiply %10, %cst_12 : tensor<f64>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %28 = stablehlo.reduce(%27 init: %cst_13) applies stablehlo.add across dimensions = [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %29 = stablehlo.add %26, %28 : tensor<f64>
    %30 = stablehlo.multiply %11, %cst_2 : tensor<256xf64>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %31 = stablehlo.reduce(%30 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<256xf64>, tensor<f64>) -> tensor<f64>
    %32 = stablehlo.add %29, %31 : tensor<f64>
    return %32 : tensor<f64>
  }
  func.func private @sort(%arg0: tensor<256xf64>) -> tensor<256xf64> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f64>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f64>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f64>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f64>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<256xf64>) -> tensor<256xf64>
    return %0 : tensor<256xf64>
  }
  func.func private @argsort(%arg0: tensor<256xf64>) -> tensor<256xi64> {
    %0 = stablehlo.iota dim = 0 : tensor<256xi64>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>, %arg3: tensor<i64>, %arg4: tensor<i64>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f64>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f64>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f64>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f64>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<256xf64>, tensor<256xi64>) -> (tensor<256xf64>, tensor<256xi64>)
    return %1#1 : tensor<256xi64>
  }
  func.func private @median(%arg0: tensor<256xf64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %0 = call @quantile(%arg0, %cst) : (tensor<256xf64>, tensor<f64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
  func.func private @quantile(%arg0: tensor<256xf64>, %arg1: tensor<f64>) -> tensor<f64> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<256xf64>, tensor<256xf64>) -> tensor<256xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<256xi1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<1xi1>, tensor<f64>, tensor<256xf64>) -> tensor<256xf64>
    %4 = "stablehlo.sort"(%3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %23 = stablehlo.compare EQ, %arg2, %cst_10, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %24 = stablehlo.select %23, %cst_11, %arg2 : tensor<i1>, tensor<f64>
      %25 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_12 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %26 = stablehlo.select %25, %cst_12, %24 : tensor<i1>, tensor<f64>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %27 = stablehlo.compare EQ, %arg3, %cst_13, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %28 = stablehlo.select %27, %cst_14, %arg3 : tensor<i1>, tensor<f64>
      %29 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_15 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %30 = stablehlo.select %29, %cst_15, %28 : tensor<i1>, tensor<f64>
      %31 = stablehlo.compare LT, %26, %30, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %31 : tensor<i1>
    }) : (tensor<256xf64>) -> tensor<256xf64>
    %cst_0 = stablehlo.constant dense<2.560000e+02> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f64>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f64>
    %7 = stablehlo.floor %6 : tensor<f64>
    %8 = stablehlo.ceil %6 : tensor<f64>
    %9 = stablehlo.subtract %6, %7 : tensor<f64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f64>
    %cst_3 = stablehlo.constant dense<2.560000e+02> : tensor<f64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.subtract %cst_3, %cst_4 : tensor<f64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.clamp %cst_5, %7, %11 : tensor<f64>
    %cst_6 = stablehlo.constant dense<2.560000e+02> : tensor<f64>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %13 = stablehlo.subtract %cst_6, %cst_7 : tensor<f64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.clamp %cst_8, %8, %13 : tensor<f64>
    %15 = stablehlo.convert %12 : (tensor<f64>) -> tensor<i64>
    %16 = stablehlo.convert %14 : (tensor<f64>) -> tensor<i64>
    %17 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<256xf64>, tensor<1xi64>) -> tensor<f64>
    %19 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %20 = "stablehlo.gather"(%4, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<256xf64>, tensor<1xi64>) -> tensor<f64>
    %21 = stablehlo.add %18, %20 : tensor<f64>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %22 = stablehlo.multiply %21, %cst_9 : tensor<f64>
    return %22 : tensor<f64>
  }
  func.func private @_where(%arg0: tensor<1xi1>, %arg1: tensor<f64>, %arg2: tensor<256xf64>) -> tensor<256xf64> {
    %0 = stablehlo.convert %arg1 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<1xi1>) -> tensor<256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<256xf64>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<256xi1>, tensor<256xf64>
    return %3 : tensor<256xf64>
  }
  func.func private @percentile(%arg0: tensor<256xf64>, %arg1: tensor<i64>) -> tensor<f64> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
    %cst = stablehlo.constant dense<1.000000e+02> : tensor<f64>
    %1 = stablehlo.divide %0, %cst : tensor<f64>
    %2 = call @quantile_0(%arg0, %1) : (tensor<256xf64>, tensor<f64>) -> tensor<f64>
    return %2 : tensor<f64>
  }
  func.func private @quantile_0(%arg0: tensor<256xf64>, %arg1: tensor<f64>) -> tensor<f64> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<256xf64>, tensor<256xf64>) -> tensor<256xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<256xi1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<1xi1>, tensor<f64>, tensor<256xf64>) -> tensor<256xf64>
    %4 = "stablehlo.sort"(%3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %24 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %25 = stablehlo.select %24, %cst_10, %arg2 : tensor<i1>, tensor<f64>
      %26 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %27 = stablehlo.select %26, %cst_11, %25 : tensor<i1>, tensor<f64>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %28 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %29 = stablehlo.select %28, %cst_13, %arg3 : tensor<i1>, tensor<f64>
      %30 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %31 = stablehlo.select %30, %cst_14, %29 : tensor<i1>, tensor<f64>
      %32 = stablehlo.compare LT, %27, %31, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %32 : tensor<i1>
    }) : (tensor<256xf64>) -> tensor<256xf64>
    %cst_0 = stablehlo.constant dense<2.560000e+02> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f64>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f64>
    %7 = stablehlo.floor %6 : tensor<f64>
    %8 = stablehlo.ceil %6 : tensor<f64>
    %9 = stablehlo.subtract %6, %7 : tensor<f64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f64>
    %cst_3 = stablehlo.constant dense<2.560000e+02> : tensor<f64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.subtract %cst_3, %cst_4 : tensor<f64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.clamp %cst_5, %7, %11 : tensor<f64>
    %cst_6 = stablehlo.constant dense<2.560000e+02> : tensor<f64>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %13 = stablehlo.subtract %cst_6, %cst_7 : tensor<f64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.clamp %cst_8, %8, %13 : tensor<f64>
    %15 = stablehlo.convert %12 : (tensor<f64>) -> tensor<i64>
    %16 = stablehlo.convert %14 : (tensor<f64>) -> tensor<i64>
    %17 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<256xf64>, tensor<1xi64>) -> tensor<f64>
    %19 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %20 = "stablehlo.gather"(%4, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<256xf64>, tensor<1xi64>) -> tensor<f64>
    %21 = stablehlo.multiply %18, %10 : tensor<f64>
    %22 = stablehlo.multiply %20, %9 : tensor<f64>
    %23 = stablehlo.add %21, %22 : tensor<f64>
    return %23 : tensor<f64>
  }
  func.func private @argmax(%arg0: tensor<256xf64>) -> tensor<i64> {
    %0 = stablehlo.iota dim = 0 : tensor<256xi64>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<256xf64>, tensor<256xi64>, tensor<f64>, tensor<i64>) -> (tensor<f64>, tensor<i64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<i64>
  }
  func.func private @argmin(%arg0: tensor<256xf64>) -> tensor<i64> {
    %0 = stablehlo.iota dim = 0 : tensor<256xi64>
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<256xf64>, tensor<256xi64>, tensor<f64>, tensor<i64>) -> (tensor<f64>, tensor<i64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<i64>
  }
  func.func private @cumsum(%arg0: tensor<256xf64>) -> tensor<256xf64> {
    %0 = call @cumsum_1(%arg0) : (tensor<256xf64>) -> tensor<256xf64>
    return %0 : tensor<256xf64>
  }
  func.func private @cumsum_1(%arg0: tensor<256xf64>) -> tensor<256xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[255, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 256>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<256xf64>, tensor<f64>) -> tensor<256xf64>
    return %1 : tensor<256xf64>
  }
}
